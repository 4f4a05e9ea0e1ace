import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatCount, grouped } from '../../src/kernel/format-count.ts';

it('one is singular, all else is not', () => {
  expect([0, 1, 2, 10_000].map((count) => formatCount(count, 'event'))).toEqual([
    '0 events',
    '1 event',
    '2 events',
    '10,000 events',
  ]);
});

it('thousands are apart as English has them', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (count) => grouped(count) === count.toLocaleString('en')));
});
