import { expect, it } from 'vitest';
import { runInTime } from '../../../src/protocol/schema/run-in-time.ts';

it('returns what the function returns, and throws what it throws', () => {
  expect(runInTime(() => 'done', 1_000)).toBe('done');
  expect(() =>
    runInTime(() => {
      throw new TypeError('wrong');
    }, 1_000),
  ).toThrow(new TypeError('wrong'));
});

it('stops a loop, and an expression that backtracks', () => {
  const loop = () => {
    for (;;);
  };
  expect(runInTime(loop, 5)).toBe('stopped');
  expect(runInTime(() => /^(a+)+$/.test(`${'a'.repeat(40)}b`), 5)).toBe('stopped');
  expect(runInTime(() => 'and goes on', 1_000)).toBe('and goes on');
});
