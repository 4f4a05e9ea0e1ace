import { describe, expect, it } from 'vitest';
import { expressionProblem } from '../../src/kernel/linear-regex.ts';
import { compileLiteral, compilePattern } from '../../src/match/value-pattern.ts';

describe('a pattern of a value', () => {
  it.each([
    ['a mapping: an object with more keys', { a: 1 }, { a: 1, b: 2 }, true],
    ['a mapping: an object without its key', { a: 1 }, { b: 2 }, false],
    ['a mapping: a key that every object has', { toString: {} }, {}, false],
    ['a mapping: a list', { length: 1 }, [1], false],
    ['an empty mapping: any object', {}, { a: 1 }, true],
    ['an empty mapping: null', {}, null, false],
    ['mappings in mappings', { a: { b: /c/.source } }, { a: { b: 'c', d: 1 } }, true],
    ['a list: one of the same length', [{ a: 1 }, 2], [{ a: 1, b: 1 }, 2], true],
    ['a list: a longer one', [1], [1, 2], false],
    ['a list: a text', ['a'], 'a', false],
    ['a text: itself', 'rain', 'rain', true],
    ['a text: a part of itself', 'rain', 'rainy', false],
    ['a text with one slash: itself', '/rain', '/rain', true],
    ['an expression: anywhere in a text', '/a.n/', 'rain', true],
    ['an expression: another text', '/^a/', 'rain', false],
    ['an expression with flags', '/^RAIN$/i', 'rain', true],
    ['an expression: a number', '/1/', 1, false],
    ['an expression of two lines', '/a.b/s', 'a\nb', true],
    ['zero: itself', 0, 0, true],
    ['zero: false', 0, false, false],
    ['a number: its text', 1, '1', false],
    ['null: itself', null, null, true],
    ['false: itself', false, false, true],
  ])('describes, as %s', (_, pattern, value, isAccepted) => {
    expect(compilePattern(pattern)(value)).toBe(isAccepted);
  });

  it('takes no longer for an expression that backtracks elsewhere', () => {
    const accepts = compilePattern('/^(a+)+$/');
    expect(accepts(`${'a'.repeat(100_000)}b`)).toBe(false);
  });

  it('without expressions describes them as texts', () => {
    expect(compileLiteral({ a: ['/./'] })({ a: ['/./'], b: 1 })).toBe(true);
    expect(compileLiteral({ a: ['/./'] })({ a: ['x'] })).toBe(false);
  });

  it('says where an expression is none', () => {
    expect(expressionProblem({ a: ['ok', '/(/'] }, ['when'])).toMatchObject({
      path: ['when', 'a', 1],
      why: expect.stringContaining('/(/ is not a regular expression: '),
    });
    expect(expressionProblem({ a: '/(?=a)/' }, [])).toBeDefined();
    expect(expressionProblem({ a: '/a+/', b: 5, c: null }, [])).toBeUndefined();
  });
});
