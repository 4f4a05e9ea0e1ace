import fc from 'fast-check';
import { expect, it } from 'vitest';
import { firstWhere } from '../../../../src/html-report/browser/sequence/first-where.ts';

it('finds where it begins to hold, as a walk over all would', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(25), (values, least) => {
      const sorted = values.sort((a, b) => a - b);
      const walked = sorted.findIndex((value) => value >= least);
      const found = firstWhere(sorted.length, (position) => sorted[position]! >= least);
      expect(found).toBe(walked < 0 ? sorted.length : walked);
    }),
  );
});

it('looks at few of many', () => {
  let looks = 0;
  firstWhere(1_000_000, (position) => ++looks > 0 && position >= 123_456);
  expect(looks).toBeLessThanOrEqual(20);
});
