import { expect, it } from 'vitest';
import { LiveSteps } from '../../../src/cli/terminal/live-steps.ts';
import { stepLine } from '../../../src/text-report/check-outcome-text.ts';
import type { Step } from '../../../src/text-report/outcome-model.ts';
import { screenOf } from './screen.ts';

const asIs = (text: string) => text;
const PLAIN = { good: asIs, bad: asIs, dim: asIs, bold: asIs, hunk: asIs };
const asked = (title: string, line: number): Step => ({ title, line, status: 'skipped' });
const passed = (title: string, line: number): Step => ({ title, line, status: 'passed', duration: 3 });

it('shows what is waited for, and each step when it ends', () => {
  const screen = screenOf(40);
  const steps = new LiveSteps(screen, PLAIN);
  steps.began(asked('initialize', 1));
  expect(screen.lines()).toEqual(['… initialize']);
  steps.answered(1);
  steps.ended(passed('initialize', 1));
  expect(screen.lines()).toEqual(['✓ initialize  line 1  3 ms', '']);
  steps.began(asked('tools/call "a"', 5));
  steps.began(asked('tools/call "b"', 7));
  expect(screen.lines().at(-1)).toBe('… tools/call "a" and 1 more');
  steps.answered(5);
  steps.ended(passed('tools/call "a"', 5));
  expect(screen.lines().slice(1)).toEqual(['✓ tools/call "a"  line 5  3 ms', '… tools/call "b"']);
  steps.finish();
  expect(screen.lines().at(-1)).toBe('');
});

it('knows which lines it has shown', () => {
  const steps = new LiveSteps(screenOf(40), PLAIN);
  steps.ended(passed('a', 1));
  expect(steps.isShown(stepLine(passed('a', 1), PLAIN))).toBe(true);
  expect(steps.isShown(stepLine({ ...passed('a', 1), status: 'failed' }, PLAIN))).toBe(false);
});

it('lets no title steer the terminal', () => {
  const screen = screenOf(40);
  const steps = new LiveSteps(screen, PLAIN);
  steps.began(asked('a\u001b[2J', 1));
  steps.ended(passed('b\u001b[2J', 1));
  expect(screen.lines().join('')).not.toContain('\u001b');
});
