import { describe, expect, it } from 'vitest';
import { boundChanges, isBound } from '../../../src/contract/schema/compare-schema-bounds.ts';

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
