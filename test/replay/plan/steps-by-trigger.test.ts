import { expect, it } from 'vitest';
import { StepsByTrigger, type TriggeredSteps } from '../../../src/replay/plan/steps-by-trigger.ts';

it('a sequence is found by the entry that triggers it, and the sequences of the start come first', () => {
  const sequences = new StepsByTrigger(3);
  const sequence = (entry: number, trigger?: number): TriggeredSteps => ({
    trigger,
    steps: [{ entry, needs: [], ambient: false, guess: false, why: '' }],
  });
  const [start, first, second, last] = [sequence(0), sequence(1, 0), sequence(2, 0), sequence(3, 2)];
  for (const one of [last, first, start, second]) sequences.add(one);
  expect([undefined, 0, 1, 2].map((trigger) => sequences.get(trigger))).toEqual([
    [start],
    [first, second],
    undefined,
    [last],
  ]);
  expect([...sequences]).toEqual([start, first, second, last]);
});
