import { expect, it } from 'vitest';
import { SweepProgress } from '../../../src/cli/terminal/sweep-progress.ts';
import { CLIENT_VERDICTS } from '../../../src/sweep/client/verdict.ts';
import { screenOf } from './screen.ts';

const point = (name: string) => ({ name, fault: 'cut', message: 1, line: 12, title: 'answer to tools/call "a"' });
const sweepOn = (screen: ReturnType<typeof screenOf>) =>
  new SweepProgress({
    terminal: screen,
    file: 'a.yaml',
    of: 3,
    verdicts: CLIENT_VERDICTS,
    bad: (text) => `!${text}!`,
  });

it('tells of each point as it ends, and what is bad stays', () => {
  const screen = screenOf(80);
  const progress = sweepOn(screen);
  expect(screen.lines()).toEqual(['0 of 3 points: the first run, without any fault, has not ended yet']);
  progress.done({ point: point('cut@1'), verdict: 'reported' });
  expect(screen.lines()).toEqual(['1 of 3 points: 1 good (1 reported), 0 bad · reported cut@1']);
  progress.done({ point: point('cut@2'), verdict: 'lied' });
  expect(screen.lines()).toEqual([
    '!lied! cut@2: answer to tools/call "a"  (a.yaml:12)',
    '2 of 3 points: 1 good (1 reported), 1 bad (1 lied) · lied cut@2',
  ]);
  progress.finish();
  expect(screen.lines().at(-1)).toBe('');
});

it('says nothing where there is no terminal', () => {
  const screen = screenOf(80, false);
  const progress = sweepOn(screen);
  progress.done({ point: point('cut@1'), verdict: 'lied' });
  progress.finish();
  expect(screen.writes).toBe(0);
});
