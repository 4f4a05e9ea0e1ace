import { expect, it } from 'vitest';
import { expectationsOf, isFailure } from '../../../src/replay/findings/failure-policy.ts';
import type { Finding } from '../../../src/replay/findings/finding.ts';

const kinds: Finding['kind'][] = [
  ...(['miss', 'differs', 'unrecorded', 'unanswered', 'stray', 'missing'] as const),
  ...(['late', 'unsent', 'unused', 'unfired', 'uncalled', 'leaked', 'ended', 'thrown'] as const),
];

const ALWAYS = ['leaked', 'ended', 'thrown'];

it('a replay on the command line fails after a miss, and what always fails', () => {
  expect(kinds.filter((kind) => isFailure(kind, expectationsOf(false)))).toEqual(['miss', ...ALWAYS]);
});

it('differences fail a replay by their own option, whatever happens to unused messages', () => {
  const failing = (strict: boolean, onDifference: 'fail' | 'report') =>
    kinds.filter((kind) => isFailure(kind, expectationsOf(strict, onDifference)));
  const differences = ['differs', 'unrecorded', 'unanswered', 'stray'];
  expect(failing(false, 'fail')).toEqual(['miss', ...differences, ...ALWAYS]);
  expect(failing(true, 'report')).toEqual(['miss', 'unused', 'uncalled', ...ALWAYS]);
});

it('a strict replay fails where the client was not the recorded one in whatever it said', () => {
  const failures = kinds.filter((kind) => isFailure(kind, expectationsOf(true)));
  expect(failures).toEqual(['miss', 'differs', 'unrecorded', 'unanswered', 'stray', 'unused', 'uncalled', ...ALWAYS]);
});
