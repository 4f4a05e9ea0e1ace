import { describe, expect, it } from 'vitest';
import { boundChanges, isBound } from '../../../src/contract/schema/compare-schema-bounds.ts';
import { ExactNumber } from '../../../src/match/exact-json-value.ts';

const severity = (name: string, before: unknown, after: unknown, direction: 'input' | 'output' = 'input') =>
  boundChanges({ name, before, after, direction, path: '/x' })[0]!.severity;

describe('boundChanges', () => {
  it.each(['minimum', 'minLength', 'minItems'])('%s admits fewer values when it rises', (name) => {
    expect(severity(name, 1, 2)).toBe('breaking');
    expect(severity(name, 2, 1)).toBe('compatible');
    expect(severity(name, 1, 2, 'output')).toBe('compatible');
  });

  it.each(['maximum', 'maxLength', 'exclusiveMaximum'])('%s admits fewer values when it falls', (name) => {
    expect(severity(name, 2, 1)).toBe('breaking');
    expect(severity(name, 1, 2)).toBe('compatible');
    expect(severity(name, 1, 2, 'output')).toBe('breaking');
  });

  it('takes a bound that is new for a narrowing, and one that is gone for a widening', () => {
    expect(severity('minimum', undefined, 1)).toBe('breaking');
    expect(severity('minimum', 1, undefined)).toBe('compatible');
  });

  it('reads a missing minContains as 1', () => {
    expect(severity('minContains', 0, undefined)).toBe('breaking');
    expect(severity('minContains', 2, undefined)).toBe('compatible');
    expect(severity('minContains', undefined, 0)).toBe('compatible');
    expect(severity('minContains', undefined, 0, 'output')).toBe('breaking');
  });

  it.each<[unknown, unknown]>([
    [9007199254740992, new ExactNumber('9007199254740993')],
    [new ExactNumber('9007199254740993'), 9007199254740992],
    [1, '2'],
    [2, null],
    [true, 1],
    [undefined, 'x'],
    [[], undefined],
  ])('calls %s → %s breaking, because it cannot tell which one is greater', (before, after) => {
    expect(severity('minimum', before, after)).toBe('breaking');
    expect(severity('minimum', before, after, 'output')).toBe('breaking');
  });

  it('compares large numbers that are not neighbours', () => {
    expect(severity('maximum', 9007199254740992, new ExactNumber('90071992547409931'))).toBe('compatible');
  });

  it('says from where to where', () => {
    expect(boundChanges({ name: 'minimum', before: undefined, after: 0, direction: 'input', path: '/x' })).toEqual([
      { severity: 'breaking', path: '/x', reason: 'minimum nothing → 0' },
    ]);
  });
});

describe('isBound', () => {
  it('knows the keywords that bound a value', () => {
    expect([isBound('maxItems'), isBound('enum')]).toEqual([true, false]);
  });
});
