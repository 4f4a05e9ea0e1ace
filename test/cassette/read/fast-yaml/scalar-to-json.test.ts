import { describe, expect, it } from 'vitest';
import { scalarToJson, singleQuotedEnd } from '../../../../src/cassette/read/fast-yaml/scalar-to-json.ts';

describe('a scalar on one line', () => {
  it.each([
    ['tools/call', '"tools/call"'],
    ['say "hi" \\o/', '"say \\"hi\\" \\\\o/"'],
    ['1.0', '1.0'],
    ['-0', '-0'],
    ['1e400', '1e400'],
    ['true', 'true'],
    ['null', 'null'],
    ['{}', '{}'],
    ['[]', '[]'],
    ['"2.0"', '"2.0"'],
    ['"\\u0041\\u2028\\/"', '"A\u2028/"'],
    [`'it''s "so"'`, '"it\'s \\"so\\""'],
    ["''", '""'],
  ])('%s is %s', (source, json) => expect(scalarToJson(source)).toBe(json));

  it.each([
    '',
    'True',
    '~',
    '0x1F',
    '.5',
    '+1',
    '01',
    'a: b',
    'a #b',
    'a ',
    '{a: 1}',
    '[1]',
    '"a',
    '"a" b',
    '"\\x41"',
    '"\\U0001F600"',
    '"a\tb"',
    '"a\u2028b"',
    "'a",
    "'a'b'",
    "'a\tb'",
    '*a',
    '&a b',
    '!t a',
    '|',
    '>',
    '@a',
  ])('%j is left to others', (source) => expect(scalarToJson(source)).toBeUndefined());

  it('ends at the quote that is not doubled', () => {
    expect(singleQuotedEnd("x: 'a''b': 1", 3)).toBe(9);
    expect(singleQuotedEnd("'a''", 0)).toBe(-1);
  });
});
