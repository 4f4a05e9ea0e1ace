import { expect, it } from 'vitest';
import type { Outcome, Step } from '../../../src/text-report/outcome-model.ts';
import { passUpdatedSteps, updatableLines } from '../../../src/verify/update/pass-updated-steps.ts';

it('a step passes whose values the cassette holds now, and no other', () => {
  const steps: Step[] = [
    { title: 'values', status: 'failed', line: 1, recorded: 1, live: 2 },
    { title: 'too slow, too', status: 'failed', line: 2, recorded: 1, live: 2, isMoreThanValues: true },
    { title: 'not written', status: 'failed', line: 3, recorded: 1, live: 2 },
    { title: 'unanswered', status: 'failed' },
    { title: 'same', status: 'passed' },
  ];
  const outcome: Outcome = { title: 'verify', file: 'a.yaml', steps, notes: [], duration: 1 };
  expect([...updatableLines(outcome)]).toEqual([1, 3]);
  expect(
    passUpdatedSteps(outcome, { lines: new Set([1, 2]), notes: [] }).steps.map(({ status, isTakenOver }) => [
      status,
      isTakenOver,
    ]),
  ).toEqual([
    ['passed', true],
    ['failed', undefined],
    ['failed', undefined],
    ['failed', undefined],
    ['passed', undefined],
  ]);
});
