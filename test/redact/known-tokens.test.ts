import { describe, expect, it } from 'vitest';
import { knownTokens, markTokens } from '../../src/redact/known-tokens.ts';
import { emptyMarks } from '../../src/redact/survey.ts';
import { TOKEN_PATTERNS } from '../../src/redact/token-patterns.ts';

const marks = emptyMarks();
markTokens(marks);

describe.each(TOKEN_PATTERNS)('a $name', ({ name, pattern, example }) => {
  const token = example.join('');
  const [all, group] = pattern.exec(token)!;

  it('is found by its example, in the midst of text', () => {
    for (const [before, after] of [
      ['', ''],
      ['see ', ' there'],
      ['"', '"'],
      ['a=', '\n'],
      ['\\n', ''],
      ['%20', '&'],
      ['(', ').'],
    ]) {
      const text = before + token + after;
      expect(
        knownTokens(text, marks).map(({ start, end, ...rest }) => ({
          ...rest,
          secret: text.slice(start, end),
        })),
      ).toEqual([{ name, secret: group ?? all }]);
    }
  });

  it('is none when it is cut short', () => {
    if (name !== 'private-key') expect(knownTokens(token.slice(0, 12), marks)).toEqual([]);
  });
});

describe('tokens', () => {
  it('are at least sixty kinds, each with a name of its own', () => {
    const names = TOKEN_PATTERNS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThanOrEqual(60);
  });

  it('are found one behind the other', () => {
    const text = TOKEN_PATTERNS.map(({ example }) => example.join('')).join('\n');
    expect(knownTokens(text, marks).map(({ name }) => name)).toEqual(TOKEN_PATTERNS.map(({ name }) => name));
  });

  it('do not begin in the midst of a word', () => {
    expect(knownTokens(`xx${['ghp_', 'a1B2'.repeat(9)].join('')}`, marks)).toEqual([]);
  });

  it('end with what is left of a private key that is torn', () => {
    const text = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkq\n'.repeat(3)} and then`;
    expect(knownTokens(text, marks)).toEqual([{ name: 'private-key', start: 0, end: 27 + 3 * 17 }]);
  });
});
