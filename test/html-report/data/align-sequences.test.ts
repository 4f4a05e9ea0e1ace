import fc from 'fast-check';
import { expect, it } from 'vitest';
import { alignSequences } from '../../../src/html-report/data/align-sequences.ts';

const keys = (text: string) => [...text].map((letter) => [letter]);
const shown = (before: string, after: string) =>
  alignSequences(keys(before), keys(after)).map(({ before: a, after: b, moved }) =>
    [a === undefined ? '+' : before[a], b === undefined ? '-' : after[b], moved && 'moved'].join(''),
  );

it('what both have stands beside each other, what one has alone where it stood', () => {
  expect(shown('abd', 'acd')).toEqual(['aa', '+c', 'b-', 'dd']);
  expect(shown('', 'a')).toEqual(['+a']);
  expect(shown('a', '')).toEqual(['a-']);
});

it('the n-th of a kind is the n-th of it in the other, and what changed its place is moved', () => {
  expect(shown('aba', 'aab')).toEqual(['aa', 'aa', 'bbmoved']);
  expect(shown('xab', 'abx')).toEqual(['aa', 'bb', 'xxmoved']);
});

it('an exact key goes before a rough one', () => {
  const before = [
    ['call 1', 'call'],
    ['call 2', 'call'],
  ];
  const after = [
    ['call 2', 'call'],
    ['call 3', 'call'],
  ];
  expect(alignSequences(before, after)).toEqual([
    { before: 1, after: 0 },
    { before: 0, after: 1, moved: true },
  ]);
});

it('every element of both stands in exactly one row', () => {
  const sequence = fc.array(fc.constantFrom('a', 'b', 'c', 'd'));
  fc.assert(
    fc.property(sequence, sequence, (before, after) => {
      const pairs = alignSequences(keys(before.join('')), keys(after.join('')));
      const sorted = (side: 'before' | 'after') => pairs.flatMap((pair) => pair[side] ?? []).sort((a, b) => a - b);
      expect(sorted('before')).toEqual([...before.keys()]);
      expect(pairs.flatMap(({ after: index }) => index ?? [])).toEqual([...after.keys()]);
      for (const { before: a, after: b } of pairs)
        if (a !== undefined && b !== undefined) expect(before[a]).toBe(after[b]);
    }),
  );
});
