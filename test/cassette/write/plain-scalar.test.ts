import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isHidden, isPlain, isReserved, isUnprintable } from '../../../src/cassette/write/plain-scalar.ts';

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

  it.each(['e1', 'E0', 'e+12', 'E-007', 'e1234567'])('is never an exponent alone: %s', (text) => {
    expect(isReserved(text)).toBe(true);
    expect(isPlain(text)).toBe(false);
  });

  it.each(['e', 'e+', 'E-', 'e1a', 'e 1', 'e+-1', 'e1.', 'be1'])('may be %j, which is no exponent', (text) => {
    expect(isPlain(text)).toBe(true);
  });

  it.each(['1.1', '1.2'] as const)('is the same text to a reader of YAML %s, whatever it is made of', (version) => {
    const texts = textsOf('eE01.+-_:xony', 4).filter(isPlain);
    expect(texts.length).toBeGreaterThan(5_000);
    const options = { version, mapAsMap: true, uniqueKeys: false };
    const list: unknown[] = parse(texts.map((text) => `- ${text}\n`).join(''), options);
    const mapping: Map<unknown, null> = parse(texts.map((text) => `${text}:\n`).join(''), options);
    const keys = [...mapping.keys()];
    expect(texts.filter((text, n) => list[n] !== text || keys[n] !== text)).toEqual([]);
  });
});

/** Every text of so many of these characters, or fewer. */
function textsOf(characters: string, length: number): string[] {
  if (length === 0) return [''];
  const shorter = textsOf(characters, length - 1);
  const longest = shorter.filter((text) => text.length === length - 1);
  return [...shorter, ...longest.flatMap((text) => [...characters].map((character) => text + character))];
}

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
