import { expect, it } from 'vitest';
import { isDeeplyNested } from '../../src/match/nesting-depth.ts';

const lists = (depth: number) => JSON.parse('['.repeat(depth) + ']'.repeat(depth));

it('is not deep up to 64 lists or objects in each other', () => {
  expect([1, null, 'text', [], lists(64)].map((value) => isDeeplyNested(value))).toEqual(Array(5).fill(false));
});

it('is deep from there, wherever it happens, and found without going further', () => {
  expect(isDeeplyNested(lists(65))).toBe(true);
  expect(isDeeplyNested({ a: 1, b: [{}, { c: lists(62) }] })).toBe(true);
  expect(isDeeplyNested(lists(1_000_000))).toBe(true);
});
