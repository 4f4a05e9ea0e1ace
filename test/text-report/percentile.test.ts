import { expect, it } from 'vitest';
import { percentile } from '../../src/text-report/percentile.ts';

it('a percentile is one of the numbers, by nearest rank', () => {
  const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
  expect([percentile(numbers, 0.5), percentile(numbers, 0.95), percentile([7], 0.95)]).toEqual([10, 19, 7]);
});
