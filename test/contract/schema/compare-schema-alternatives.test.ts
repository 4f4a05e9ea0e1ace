import { describe, expect, it } from 'vitest';
import { alternativeChanges, typesOf } from '../../../src/contract/schema/compare-schema-alternatives.ts';

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

describe('typesOf', () => {
  it('lists one type or several, and counts integers among numbers', () => {
    expect(typesOf(undefined)).toEqual([]);
    expect(typesOf('string')).toEqual(['string']);
    expect(typesOf(['null', 'number'])).toEqual(['null', 'number', 'integer']);
    expect(typesOf(['integer', 'number'])).toEqual(['integer', 'number']);
  });
});
