import { expect, it } from 'vitest';
import { failOnOf } from '../../../src/cli/options/fail-on-option.ts';

it('takes the values that are known, and names them for any other', () => {
  expect(['any', 'breaking'].map(failOnOf)).toEqual(['any', 'breaking']);
  expect(() => failOnOf('braking')).toThrow(/it is none of any, breaking.*\[USAGE_BAD_FAIL_ON\]/);
});
