import { expect, it } from 'vitest';
import { keyEndOf, keyToJson } from '../../../../src/cassette/read/fast-yaml/mapping-key.ts';

it.each([
  ['a: b', 1],
  ['a:b: c', 3],
  ['"a: b": c', 6],
  ["'a'': b':", 8],
  [': b', 0],
  ['a', -1],
  ['a:b', -1],
  ['"a"b: c', -1],
  ['"a: b', -1],
])('the key of %j ends at its colon', (line, end) => {
  expect(keyEndOf(line)).toBe(end);
});

it.each([
  ['ключ', 'ключ'],
  ["'it''s'", "it's"],
  ['"a\\"b"', 'a\\"b'],
  ['', undefined],
  ['12', undefined],
  ['null', undefined],
])('the key %s is JSON without quotes', (source, key) => {
  expect(keyToJson(source)).toBe(key);
});
