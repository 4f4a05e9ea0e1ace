import { describe, expect, it } from 'vitest';
import { readLiteral } from '../../../../src/cassette/read/fast-yaml/block-literal.ts';
import { JsonBytes } from '../../../../src/cassette/read/fast-yaml/json-buffer.ts';

function read(text: string): { value: unknown; end: number } | undefined {
  const json = new JsonBytes();
  const bytes = Buffer.from(`${text}\n      what was there before\n`);
  const end = readLiteral({ bytes, length: Buffer.byteLength(text), at: 0, column: 2 }, json);
  return end < 0 ? undefined : { value: JSON.parse(json.take()), end };
}

describe('a literal block under a key at column 2', () => {
  it.each([
    ['|\n    a\n    b\n', 'a\nb\n'],
    ['|-\n    a\n\n      b', 'a\n\n  b'],
    ['|-\n\n    a\n', '\na'],
    ['|2-\n     a\n    b\n', ' a\nb'],
    ['|2\n    \ta\n', '\ta\n'],
    ['|-\n    a\n\n\n', 'a'],
    ['|-\n    a\n    \n    b', 'a\n\nb'],
    ['|-\n    "a"\t\\b\u0001\u007f\n    c', '"a"\t\\b\u0001\u007f\nc'],
  ])('%j is %j', (text, value) => expect(read(text)).toEqual({ value, end: text.length }));

  it('may be long', () => {
    const text = `${'a"\\'.repeat(40_000)}\n`;
    expect(read(`|\n    ${text}`)?.value).toBe(text);
  });

  it('has room for what is escaped at the end of what is kept', () => {
    for (let length = 65_500; length < 65_550; length++) {
      const text = `${'x'.repeat(length)}\u0001"`;
      expect(read(`|-\n    ${text}`)?.value === text).toBe(true);
    }
  });

  it('has room for what is escaped behind control characters, in a text too long for what is kept', () => {
    const text = `${'\u0001'.repeat(100)}${'"'.repeat(70_000)}`;
    expect(read(`|-\n    ${text}`)?.value === text).toBe(true);
  });

  it('may hold any character', () => {
    const text = '|-\n    ключ 😀\n    \u2028é';
    expect(read(text)).toEqual({ value: 'ключ 😀\n\u2028é', end: Buffer.byteLength(text) });
  });

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
    '|\n    a\n  \n    b\n',
    '|-\n    a\n \t',
    '|\n    a\rb\n',
  ])('%j is left to others', (text) => expect(read(text)).toBeUndefined());
});
