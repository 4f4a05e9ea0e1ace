import { expect, it } from 'vitest';
import { encodingFreeSpans } from '../../../src/redact/decode/json-string-offsets.ts';

it('says of each span of a text, in ascending order, whether it is without characters of encodings', () => {
  const text = 'ab%cd e@f gh&';
  const isFree = encodingFreeSpans(text);
  const spans: [start: number, end: number][] = [
    [0, 2],
    [0, 3],
    [3, 7],
    [6, 8],
    [8, 12],
    [8, 13],
  ];
  expect(spans.map(([start, end]) => isFree(start, end))).toEqual([true, false, true, false, true, false]);
  // Back to the beginning.
  expect(isFree(0, 3)).toBe(false);
  expect(encodingFreeSpans('plain')(0, 5)).toBe(true);
});
