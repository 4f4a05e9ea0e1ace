import { describe, expect, it } from 'vitest';
import { inlineScalar, scalar, singleQuoted } from '../../../src/cassette/write/yaml-scalar.ts';

describe('a string in the cassette', () => {
  it.each([
    ['tools/call', 'tools/call'],
    ['2.0', '"2.0"'],
    ['no', '"no"'],
    ['a: b', '"a: b"'],
    ['{"a":1}', `'{"a":1}'`],
    [`{"it's":1}`, `'{"it''s":1}'`],
    ['', '""'],
    ['a\nb', '"a\\nb"'],
    ['tab\t"', '"tab\\t\\""'],
    ['\u0085\u2028\ufeff\x7f', '"\\u0085\\u2028\\ufeff\\u007f"'],
    ['\ud800', '"\\ud800"'],
  ])('%j is %s', (text, written) => expect(inlineScalar(text)).toBe(written));

  it('has a literal block for tidy lines, two columns in', () => {
    expect(scalar('a\nb', 2)).toBe('|-\n    a\n    b');
    expect(scalar('a\nb\n', 2)).toBe('|\n    a\n    b');
    expect(scalar('a\n\nb', 0)).toBe('|-\n  a\n\n  b');
  });

  it('says the indentation of a block that begins with a blank or a tab', () => {
    expect(scalar(' a\nb', 0)).toBe('|2-\n   a\n  b');
    expect(scalar('\n\ta\n', 0)).toBe('|2\n\n  \ta');
  });

  it.each(['a \nb', 'a\t\nb', 'a\nb ', 'a\n\n', '\n', 'a\r\nb', 'a\n\u2028', 'a\n\x1b[0m'])(
    'has no block for %j',
    (text) => {
      expect(scalar(text, 2)).toBe(inlineScalar(text));
    },
  );

  it('doubles single quotes', () => expect(singleQuoted("it's")).toBe("'it''s'"));
});
