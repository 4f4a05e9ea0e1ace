import { expect, it } from 'vitest';
import { longestRise } from '../../src/match/longest-rise.ts';

it('the longest rise passes over what is absent', () => {
  expect([...longestRise([5, 1, undefined, 4, 2, 3])].sort()).toEqual([1, 4, 5]);
  expect(longestRise([]).size).toBe(0);
});
