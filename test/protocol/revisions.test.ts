import { expect, it } from 'vitest';
import { FIRST_MODERN, isModern, REVISIONS } from '../../src/protocol/revisions.ts';

it('revisions sort as they were published', () => {
  expect([...REVISIONS].sort()).toEqual(REVISIONS);
  expect(REVISIONS.filter(isModern)).toEqual([FIRST_MODERN]);
});

it('a revision from the future is modern, one from before the first is not', () => {
  expect([isModern('2027-01-01'), isModern('2024-10-07')]).toEqual([true, false]);
});
