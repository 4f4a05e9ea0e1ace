import { expect, it } from 'vitest';
import { narrows, widens } from '../../../src/contract/schema/schema-direction.ts';

it('fewer values hurt those who write them, more values those who read them', () => {
  expect([narrows('input'), narrows('output')]).toEqual(['breaking', 'compatible']);
  expect([widens('input'), widens('output')]).toEqual(['compatible', 'breaking']);
});
