import { expect, it } from 'vitest';
import { argumentsText, shownArguments, sizeOf } from '../../../../src/sweep/server/inputs/serialize-arguments.ts';

it('the sign of zero reaches the wire', () => {
  expect(argumentsText({ a: [-0, 0, '-0'], b: 'mcp-record' })).toBe('{"a":[-0,0,"-0"],"b":"mcp-record"}');
  expect(argumentsText(undefined)).toBeUndefined();
});

it('people see arguments in ASCII, and long ones in short', () => {
  expect(shownArguments({ a: '\u202e\u{1f600}\0' })).toBe('{"a":"\\u202e\\ud83d\\ude00\\u0000"}');
  expect(shownArguments({ a: 'a'.repeat(100) })).toBe('{"a":"aaaaaaaaaa\\u2026 (100 characters)"}');
  expect(shownArguments([1, 2, 3, 4, 5, 6])).toBe('[1,2,3,4,5,"\\u2026 (6 items)"]');
  expect(shownArguments(undefined)).toBe('no arguments');
});

it('a number is as large as its digits', () => {
  const values = [0, 1000, 2 ** 31, 1e308];
  expect([...values].reverse().sort((one, other) => sizeOf(one) - sizeOf(other))).toEqual(values);
});
