import { describe, expect, it } from 'vitest';
import { isAffectedCall } from '../../../src/contract/usage/affected-arguments.ts';
import type { AffectedValues } from '../../../src/match/contract-change-types.ts';
import { ExactNumber } from '../../../src/match/exact-json-value.ts';

const sent = (argument: string, value: unknown, values?: AffectedValues) =>
  isAffectedCall({ kind: 'tools', argument, when: 'sent', ...(values && { values }) }, value);
const omitted = (argument: string, value: unknown) =>
  isAffectedCall({ kind: 'tools', argument, when: 'omitted' }, value);

describe('isAffectedCall', () => {
  it('is true of every call without a place', () => {
    expect(isAffectedCall({ kind: 'tools' }, undefined)).toBe(true);
    expect(sent('', undefined)).toBe(true);
  });

  it('finds an argument that is sent, also below others and in lists', () => {
    expect(sent('/city', { city: null })).toBe(true);
    expect(sent('/city', { town: 'Oslo' })).toBe(false);
    expect(sent('/city', undefined)).toBe(false);
    expect(sent('/at/lat', { at: { lat: 1 } })).toBe(true);
    expect(sent('/at/lat', { at: 'here' })).toBe(false);
    expect(sent('/days/*/hour', { days: [{}, { hour: 1 }] })).toBe(true);
    expect(sent('/days/*/hour', { days: [] })).toBe(false);
    expect(sent('/constructor', {})).toBe(false);
  });

  it('finds calls without an argument that is now required', () => {
    expect(omitted('/country', {})).toBe(true);
    expect(omitted('/country', undefined)).toBe(true);
    expect(omitted('/country', { country: 'no' })).toBe(false);
    expect(omitted('/at/lat', { at: {} })).toBe(true);
    expect(omitted('/at/lat', {})).toBe(false);
  });

  it('knows values that are gone, and those that are not among the ones left', () => {
    const gone: AffectedValues = { of: 'value', in: ['metric'] };
    expect(sent('/unit', { unit: 'metric' }, gone)).toBe(true);
    expect(sent('/unit', { unit: 'imperial' }, gone)).toBe(false);
    const left: AffectedValues = { of: 'value', notIn: ['metric'] };
    expect(sent('/unit', { unit: 'imperial' }, left)).toBe(true);
    expect(sent('/unit', { unit: 'metric' }, left)).toBe(false);
  });

  it.each([
    [null, 'null'],
    [[], 'array'],
    [{}, 'object'],
    ['x', 'string'],
    [true, 'boolean'],
    [3, 'integer'],
    [3.5, 'number'],
    [new ExactNumber('12345678901234567890'), 'integer'],
    [new ExactNumber('0.12345678901234567890'), 'number'],
  ])('takes %s for a value of type %s', (value, type) => {
    expect(sent('/x', { x: value }, { of: 'type', in: [type] })).toBe(true);
    expect(sent('/x', { x: value }, { of: 'type', notIn: [type] })).toBe(false);
  });

  it('takes a redacted value for any', () => {
    expect(sent('/key', { key: '[redacted:key:1]' }, { of: 'value', in: ['x'] })).toBe(true);
    expect(sent('/key', { key: '[redacted:key:1]' }, { of: 'type', in: ['integer'] })).toBe(true);
  });
});
