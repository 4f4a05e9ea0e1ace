import { expect, it } from 'vitest';
import { StatusLine } from '../../../src/cli/terminal/status-line.ts';
import { screenOf } from './screen.ts';

it('changes in place, and lines that stay go above it', () => {
  const screen = screenOf(20);
  const status = new StatusLine(screen);
  status.show('1 of 2');
  status.show('2 of 2');
  expect(screen.lines()).toEqual(['2 of 2']);
  status.above('a failed');
  expect(screen.lines()).toEqual(['a failed', '2 of 2']);
  status.clear();
  expect(screen.lines()).toEqual(['a failed', '']);
});

it('is cut, because a longer line could not be replaced', () => {
  const screen = screenOf(10);
  new StatusLine(screen).show('x'.repeat(40));
  expect(screen.lines()).toEqual([`${'x'.repeat(8)}…`]);
});

it('writes nothing where nothing changes', () => {
  const screen = screenOf(10);
  const status = new StatusLine(screen);
  status.clear();
  status.show('a');
  status.show('a');
  expect(screen.writes).toBe(1);
});
