import { describe, expect, it } from 'vitest';
import {
  alternativeChanges,
  changeMayOverlap,
  typesOf,
} from '../../../src/contract/schema/compare-schema-alternatives.ts';

const said = (before: unknown[], after: unknown[], direction: 'input' | 'output' = 'input') =>
  alternativeChanges({ noun: 'value', before, after, direction, path: '/enum' }).map(
    ({ severity, reason }) => `${severity}: ${reason}`,
  );

describe('alternativeChanges', () => {
  it('tells what is gone and what is new', () => {
    expect(said([1, 2], [2, { a: 1 }])).toEqual([
      'breaking: value 1 is no longer allowed',
      'compatible: value {"a":1} is now allowed',
    ]);
  });

  it('tells of a limit that is new, or gone', () => {
    expect(said([], ['x'])).toEqual(['breaking: value is now limited to "x"']);
    expect(said(['x', 'y'], [])).toEqual(['compatible: value is no longer limited to "x", "y"']);
    expect(said([], ['x'], 'output')).toEqual(['compatible: value is now limited to "x"']);
  });

  it('takes another order for what it is', () => {
    expect(said([1, 2], [2, 1])).toEqual(['cosmetic: the order of the values changed']);
  });

  it('cuts long members', () => {
    expect(said(['x'.repeat(500)], ['y'])[0]!.length).toBeLessThan(110);
  });
});

describe('changeMayOverlap', () => {
  const kind = (value: unknown, required: unknown = ['kind']) => ({
    type: 'object',
    properties: { kind: value },
    required,
  });

  it.each<[string, unknown, unknown]>([
    ['types', { type: 'string' }, { type: ['null', 'number'] }],
    ['constants', { const: 'a' }, { const: 'b' }],
    ['values', { enum: ['a', 'b'] }, { const: 'c' }],
    ['a constant of a required property', kind({ const: 'a' }), kind({ enum: ['b', 'c'] })],
  ])('knows that %s keep schemas apart', (_, one, other) => {
    expect(changeMayOverlap([one], [one, other])).toBe(false);
    expect(changeMayOverlap([one, other], [other])).toBe(false);
  });

  it.each<[string, unknown, unknown]>([
    ['integer is a number', { type: 'integer' }, { type: 'number' }],
    ['references are not followed', { $ref: '#/$defs/A' }, { $ref: '#/$defs/B' }],
    ['all is accepted', { type: 'string' }, {}],
    ['one is no object', { type: 'string' }, true],
    ['the values overlap', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }],
    ['the property is optional', kind({ const: 'a' }), kind({ const: 'b' }, [])],
    ['the names are no list', kind({ const: 'a' }, 'kind'), kind({ const: 'b' })],
    ['the type is open', { ...kind({ const: 'a' }), type: undefined }, kind({ const: 'b' })],
    ['one is listed twice', { const: 'a' }, { const: 'a' }],
  ])('takes schemas for overlapping because %s', (_, one, other) => {
    expect(changeMayOverlap([one], [one, other])).toBe(true);
  });

  it('does not look at two schemas that both stayed', () => {
    const [one, other] = [{ type: 'integer' }, { type: 'number' }];
    expect(changeMayOverlap([one, other], [one, other, { type: 'string' }])).toBe(false);
  });
});

describe('typesOf', () => {
  it('lists one type or several, and counts integers among numbers', () => {
    expect(typesOf(undefined)).toEqual([]);
    expect(typesOf('string')).toEqual(['string']);
    expect(typesOf(['null', 'number'])).toEqual(['null', 'number', 'integer']);
    expect(typesOf(['integer', 'number'])).toEqual(['integer', 'number']);
  });
});
