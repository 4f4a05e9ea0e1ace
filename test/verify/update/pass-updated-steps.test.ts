import { expect, it } from 'vitest';
import type { Outcome, Step } from '../../../src/text-report/outcome-model.ts';
import { passUpdatedSteps } from '../../../src/verify/update/pass-updated-steps.ts';

it('a step passes whose values the cassette holds now, and no other', () => {
  const steps: Step[] = [
    { title: 'values', status: 'failed', recorded: 1, live: 2 },
    { title: 'too slow, too', status: 'failed', recorded: 1, live: 2, isMoreThanValues: true },
    { title: 'unanswered', status: 'failed' },
    { title: 'same', status: 'passed' },
  ];
  const outcome: Outcome = { title: 'verify', file: 'a.yaml', steps, notes: [], duration: 1 };
  expect(passUpdatedSteps(outcome).steps.map(({ status, isTakenOver }) => [status, isTakenOver])).toEqual([
    ['passed', true],
    ['failed', undefined],
    ['failed', undefined],
    ['passed', undefined],
  ]);
});
