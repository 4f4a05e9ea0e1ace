import { expect, it } from 'vitest';
import { BoundedByteQueue } from '../../../src/record/stdio/bounded-byte-queue.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

it('gives bytes back in the order they came, as far as they lie side by side, and takes on what there is room for', () => {
  const ring = new BoundedByteQueue(8);
  const add = (data: string) => ring.add(Buffer.from(data));
  expect([add('abcde'), ring.length]).toEqual([5, 5]);
  expect(text(ring.take(3))).toBe('abc');
  expect([add('fghijkl'), ring.length]).toEqual([6, 8]);
  expect(add('x')).toBe(0);
  expect(text(ring.take(99))).toBe('defgh');
  expect(text(ring.take(99))).toBe('ijk');
  expect([text(ring.take(99)), ring.length]).toEqual(['', 0]);
});
