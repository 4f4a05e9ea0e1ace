import { describe, expect, it } from 'vitest';
import { isHidden, isPlain, isReserved, isUnprintable } from '../../src/cassette/plain.ts';

describe('a plain scalar', () => {
  it.each([
    'a',
    'tools/call',
    '_meta',
    '$ref',
    'a:b',
    'a#b',
    'it is "so"',
    'C:\\new',
    'é',
    '日本語',
    '😀 ok',
    'nope',
    '(x)',
  ])('may be %j', (text) => expect(isPlain(text)).toBe(true));

  it.each([
    '',
    ' a',
    'a ',
    'a: b',
    'a:',
    'a #b',
    '#a',
    '- a',
    '1',
    '+1',
    '.5',
    '?',
    '*a',
    '&a',
    '!a',
    '<<',
    '=',
    '~',
    '@a',
    '%a',
    "'a",
    '"a',
    '{}',
    '[]',
    'a\tb',
    'a\nb',
    '\u00a0a',
    'a\u3000',
  ])('is never %j', (text) => expect(isPlain(text)).toBe(false));

  it.each(['y', 'N', 'yes', 'nO', 'on', 'OFF', 'True', 'false', 'Null', 'NaN', 'inf'])(
    'is never the word %s',
    (word) => {
      expect(isReserved(word)).toBe(true);
      expect(isPlain(word)).toBe(false);
    },
  );
});

describe('what YAML does not show', () => {
  it.each(['\0', '\x1b', '\x7f', '\x85', '\x9f', '\u2028', '\u2029', '\ufeff', '\ufffe', '\uffff', '\ud800'])(
    'is %j',
    (char) => {
      expect(isUnprintable(`a${char}b`)).toBe(true);
      expect(isHidden(`a${char}b`)).toBe(true);
    },
  );

  it('is, on one line, a tab or a line break too', () => {
    expect(['\t', '\n'].map(isHidden)).toEqual([true, true]);
    expect(['\t', '\n', 'é', '😀', '\u00a0'].map(isUnprintable)).toEqual([false, false, false, false, false]);
  });
});
