import { expect, it } from 'vitest';
import { isExempting, LIMITS } from '../../../src/contract/schema/limiting-keywords.ts';

const isExemptingIn = (name: string, recorded: object, live: object) =>
  isExempting({ name, recorded: new Map(Object.entries(recorded)), live: new Map(Object.entries(live)) });

it('knows keywords that exempt values from another keyword of either schema', () => {
  expect(isExemptingIn('patternProperties', { patternProperties: {}, additionalProperties: false }, {})).toBe(true);
  expect(isExemptingIn('patternProperties', { patternProperties: {} }, { additionalProperties: false })).toBe(true);
  expect(isExemptingIn('prefixItems', { prefixItems: [] }, { items: false })).toBe(true);
  expect(isExemptingIn('allOf', { allOf: [] }, { unevaluatedItems: false })).toBe(true);
  expect(isExemptingIn('$ref', { $ref: '#' }, { maxLength: 1 })).toBe(true);
});

it('knows where there is nothing to exempt from', () => {
  expect(isExemptingIn('patternProperties', { patternProperties: {} }, { items: false })).toBe(false);
  expect(isExemptingIn('pattern', { pattern: 'x' }, { unevaluatedItems: false })).toBe(false);
  expect(isExemptingIn('$ref', { $ref: '#' }, { title: 'a' })).toBe(false);
});

it('knows keywords that only limit', () => {
  expect([LIMITS.has('pattern'), LIMITS.has('$ref'), LIMITS.has('nullable')]).toEqual([true, true, false]);
});
