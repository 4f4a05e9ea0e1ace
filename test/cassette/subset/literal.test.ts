import { describe, expect, it } from 'vitest';
import { readLiteral } from '../../../src/cassette/subset/literal.ts';

const read = (text: string) => readLiteral(text, 0, 2);

describe('a literal block under a key at column 2', () => {
  it.each([
    ['|\n    a\n    b\n', 'a\nb\n'],
    ['|-\n    a\n\n      b', 'a\n\n  b'],
    ['|-\n\n    a\n', '\na'],
    ['|2-\n     a\n    b\n', ' a\nb'],
    ['|2\n    \ta\n', '\ta\n'],
    ['|-\n    a\n\n\n', 'a'],
  ])('%j is %j', (text, value) => expect(read(text)).toEqual({ value, end: text.length }));

  it('ends before the line that stands further out', () => {
    expect(read('|-\n    a\n  key: 1\n')).toEqual({ value: 'a', end: 9 });
    expect(read('|-\n    a\n\n# note\n')).toEqual({ value: 'a', end: 10 });
  });

  it.each([
    '|+\n    a\n',
    '|4\n      a\n',
    '| # note\n    a\n',
    '|\n',
    '|\n\n',
    '|\n     a\n',
    '|\n    \ta\n',
    '|\n    a \n',
    '|\n    a\n     \n    b\n',
    '|\n    a\n\n   # far in\n',
    '|\n    a\n  \n       \n',
    '|-\n    a\n \t',
    '|\n    a\rb\n',
    '>\n    a\n',
  ])('%j is left to others', (text) => expect(read(text)).toBeUndefined());
});
