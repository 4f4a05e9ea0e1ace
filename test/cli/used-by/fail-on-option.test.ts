import { expect, it } from 'vitest';
import { failOnOf } from '../../../src/cli/used-by/fail-on-option.ts';

it('takes the values that are known, and names them for any other', () => {
  const of = (failOn: string) => failOnOf({ failOn, usedBy: ['cassettes'] });
  expect(['any', 'breaking', 'used'].map(of)).toEqual(['any', 'breaking', 'used']);
  expect(() => of('braking')).toThrow(/it is none of any, breaking, used.*\[USAGE_BAD_FAIL_ON\]/);
});

it('takes no used where nobody can be known to use anything', () => {
  expect(() => failOnOf({ failOn: 'used', usedBy: [] })).toThrow(
    /only with --used-by. \[USAGE_OPTION_WITHOUT_MEANING\]/,
  );
});
