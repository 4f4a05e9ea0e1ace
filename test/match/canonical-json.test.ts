import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson } from '../../src/match/canonical-json.ts';
import { jsonValue } from '../support/json.ts';

/** JSON has one zero. */
const withoutMinusZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('is equal for equal values, and only for them', () => {
  fc.assert(
    fc.property(jsonValue, jsonValue, (a, b) => {
      expect(canonicalJson(a) === canonicalJson(b)).toBe(isDeepStrictEqual(withoutMinusZero(a), withoutMinusZero(b)));
    }),
    { numRuns: 2_000 },
  );
});

it('is JSON of the value, in one order of keys', () => {
  fc.assert(
    fc.property(jsonValue, (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(withoutMinusZero(value));
    }),
  );
  expect(canonicalJson({ b: [2, { d: 1, c: 2 }], a: null })).toBe('{"a":null,"b":[2,{"c":2,"d":1}]}');
});

it('tells an element that was taken out from any that is there', () => {
  expect(canonicalJson([undefined, 1])).toBe('[,1]');
  expect(canonicalJson([null, 1])).toBe('[null,1]');
});

it('of a value that is nested deeper than the stack is what it is of any other', () => {
  const shallow = { b: [1, { d: null, c: '"' }, []], a: {} };
  let value: unknown = shallow;
  let around = canonicalJson(shallow);
  for (let depth = 0; depth < 10_000; depth++) {
    value = [0, { x: value }, 'y'];
    around = `[0,{"x":${around}},"y"]`;
  }
  expect(canonicalJson(value) === around).toBe(true);
});
