import { describe, expect, it } from 'vitest';
import { beginsWord, endsWord } from '../../../src/redact/detect/word-edges-in-text.ts';

describe('a word', () => {
  it.each([
    ...[
      '',
      ' ',
      '"',
      '_',
      '-',
      '=',
      'é',
      '/',
      ':',
      '@',
      '[',
      '`',
      '{',
      '\\n',
      '\\t',
      '\\\\r',
      '\\u000a',
      '\\x0a',
      '%20',
      '%3D',
    ],
    ...['\u001b[33m', '\u001b[1;38:5:208m', '\\u001b[0m', '\\e[0m', '\\x1b[31m'],
  ])('begins after %j', (before) => {
    expect(beginsWord(`${before}word`, before.length)).toBe(true);
  });

  it.each(['a', 'z', 'A', 'Z', '0', '9', 'n', '20', '%20b', 'u000a', '% 0', '[33m'])(
    'does not begin after %j',
    (before) => {
      expect(beginsWord(`${before}word`, before.length)).toBe(false);
    },
  );

  it('ends where no letter or digit follows', () => {
    expect(['word', 'word.', 'word_', 'words', 'word1', 'wordZ'].map((text) => endsWord(text, 4))).toEqual([
      ...[true, true, true],
      ...[false, false, false],
    ]);
  });
});
