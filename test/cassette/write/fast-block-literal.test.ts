import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fastBlockLiteral } from '../../../src/cassette/write/fast-block-literal.ts';
import { scalar } from '../../../src/cassette/write/yaml-scalar.ts';

const COLUMN = 6;

/** What becomes of `text` in the midst of a message. */
function literal(text: string, column = COLUMN): string | undefined {
  const token = JSON.stringify(text);
  const made = fastBlockLiteral(`{"a":${token},"b":"…"}`, 5, column);
  if (made !== undefined) expect(made.end).toBe(5 + token.length);
  return made?.yaml;
}

describe('a string of JSON that is plain text of several lines', () => {
  it.each([
    ['two lines', 'one\ntwo'],
    ['an end', 'one\ntwo\n'],
    ['quotes, backslashes, slashes and tabs', 'say "no"\n\\\tC:/\\n\n'],
    ['empty lines', 'one\n\n\ntwo'],
    ['empty lines first', '\n\none'],
    ['a line that is indented first', '  one\ntwo'],
    ['an indented line behind empty ones', '\n\tone\ntwo'],
  ])('is the same block as by the long way, with %s', (_, text) => expect(literal(text)).toBe(scalar(text, COLUMN)));

  it('is so at whatever column', () => {
    for (const column of [0, 2, 64, 130]) expect(literal('one\n\ntwo', column)).toBe(scalar('one\n\ntwo', column));
  });

  it.each([
    ['one line', 'one'],
    ['nothing', ''],
    ['line breaks only', '\n'],
    ['an empty line at its end', 'one\n\n'],
    ['a blank before a line break', 'one \ntwo'],
    ['a tab before a line break', 'one\t\n\ntwo'],
    ['a blank at its end', 'one\ntwo '],
    ['a control character', 'one\ntwo\b'],
    ['a carriage return', 'one\r\ntwo'],
    ['a letter beyond ASCII', 'one\nzwölf'],
    ['a lone surrogate', 'one\n\ud800'],
  ])('is left to the long way with %s', (_, text) => expect(literal(text)).toBeUndefined());

  it.each(['"one\\ntwo', '"one\\ntwo\\', '"one\\ntwo\\"', '"one\\n\\q"', '"one\ntwo"', '"', '"\\'])(
    'is left to it where it is not JSON: %s',
    (json) => expect(fastBlockLiteral(json, 0, COLUMN)).toBeUndefined(),
  );

  it('is the same however long it is, wherever it is parted to be read', () => {
    for (let length = 8_160; length < 8_200; length++) {
      for (const end of ['\n"b"\n', '\\\n\n\tc', '\n\n\n\n \n', ' \nd']) {
        const text = `a\n${'x'.repeat(length)}${end}`;
        expect([scalar(text, COLUMN), undefined]).toContain(literal(text));
      }
      expect(literal(`a\n${'x'.repeat(length)}\n\n"b"\n`)).toBeDefined();
    }
  });

  it('may have more empty lines, and longer indentation, than it is read at a time', () => {
    const lines = 'x\n'.repeat(20_000);
    expect(literal(lines, 130)).toBe(scalar(lines, 130));
    const empty = `a${'\n'.repeat(20_000)}b`;
    expect(literal(empty)).toBe(scalar(empty, COLUMN));
    expect(literal(`a${'\n'.repeat(40_000)}b`)).toBeUndefined();
  });

  it('is left to the long way where the first of it has no lines', () => {
    expect(literal(`${'x'.repeat(9_000)}\ny`)).toBeUndefined();
  });

  it('is the same block, or left to the long way, whatever it says', () => {
    const pieces = fc.constantFrom(
      'a',
      'word ',
      ' ',
      '\n',
      '\n',
      '\t',
      '"',
      '\\',
      '/',
      'n',
      'x'.repeat(50),
      '\r',
      'ü',
      '\u2028',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), fc.integer({ min: 0, max: 200 }), (words, times) => {
        const text = words.join('').repeat(times);
        const made = literal(text);
        if (made !== undefined) expect(made).toBe(scalar(text, COLUMN));
      }),
    );
  });
});
