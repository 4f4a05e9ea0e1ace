import { describe, expect, it } from 'vitest';
import { isLeftToChance } from '../../../../src/redact/detect/plausibility.ts';
import { compileTokenForms } from '../../../../src/redact/detect/tokens/compile-token-forms.ts';
import { findKnownTokens, markTokens } from '../../../../src/redact/detect/tokens/find-known-tokens.ts';
import { TOKEN_FORMS } from '../../../../src/redact/detect/tokens/token-forms.ts';
import { emptyTrigramTable, MAY_HOLD_TOKEN, scanText } from '../../../../src/redact/fast-prefilter/trigram-scan.ts';

const marks = emptyTrigramTable();
markTokens(marks);

const ALPHABETS: Readonly<Record<string, string>> = {
  digit: '0-9',
  hex: '0-9a-f',
  anyhex: '0-9a-f',
  lower: 'a-z',
  base32: '2-7A-Z',
  base36: '0-9a-z',
  BASE36: '0-9A-Z',
  alpha: 'a-zA-Z',
};

/** The characters of an alphabet of the table, or of one that is listed there. */
function charactersOf(alphabet: string): string {
  const listed = /^\[(.*)\]$/.exec(alphabet)?.[1] ?? ALPHABETS[alphabet] ?? '0-9a-zA-Z';
  return listed.replace(/(\w)-(\w)/g, (_, from: string, to: string) =>
    String.fromCharCode(
      ...Array.from({ length: to.charCodeAt(0) - from.charCodeAt(0) + 1 }, (_, i) => from.charCodeAt(0) + i),
    ),
  );
}

let state = 1;

/** So many letters of an alphabet, by chance, the same in each run. */
function letters(alphabet: string, length: number): string {
  const all = charactersOf(alphabet);
  return Array.from({ length }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return all[state % all.length];
  }).join('');
}

const ROWS = Object.values(TOKEN_FORMS).flatMap((lines) =>
  lines
    .trim()
    .split('\n')
    .map((line) => line.split(' ') as [string, string]),
);

/** The shortest token of a form. */
function tokenOf(form: string): string {
  state = 7;
  return form.replace(/<(\[[^>]*\]|\w+):(\d+)[^>]*>/g, (_, alphabet, length) => letters(alphabet, Number(length)));
}

describe.each(ROWS)('a %s of the form %s', (_, form) => {
  const token = tokenOf(form);
  const found = (text: string) => findKnownTokens(text, marks).map(({ start, end }) => text.slice(start, end));

  it('is found in the midst of text, whole, and the first look sees it', () => {
    for (const text of [token, `see ${token} there`, `a="${token}"`, `\\n${token}\\n`]) {
      expect(scanText(text, marks).bits & MAY_HOLD_TOKEN).not.toBe(0);
      expect(found(text)).toEqual([token]);
    }
  });

  it('is none in the midst of a word', () => {
    if (/^\w/.test(token) && !token.startsWith('_')) expect(found(`x${token}`)).not.toContain(token);
  });
});

describe('the table of forms', () => {
  it('has a pattern for each line, and says where it was learnt', () => {
    expect(compileTokenForms()).toHaveLength(ROWS.length);
    expect(Object.keys(TOKEN_FORMS)).toEqual(['gitleaks', 'trufflehog', 'secretlint']);
  });

  it('takes no filler, and nothing that counts', () => {
    const bodies = [
      'x'.repeat(34),
      'AB'.repeat(20),
      'XXXXXX-XXXXXX-XXXXX',
      '1234567890'.repeat(3),
      'abcdefghijklmnop1',
    ];
    expect(bodies.filter(isLeftToChance)).toEqual([]);
  });

  it('takes no names in code, though they are as long', () => {
    const NAMES = ['hf_', 'api_org_'].map((start) => `${start}${'LogicalChannelConfiguration'.repeat(2).slice(0, 34)}`);
    const ALIKE = [
      ...NAMES,
      `test_${'someCaseOfManyWordsInARow12'}`,
      `sk_${'skip_'.repeat(6)}a1`,
      'API-2026ABCDEFGHIJKLMNOPQRSTUV',
    ];
    expect(ALIKE.flatMap((text) => findKnownTokens(text, marks))).toEqual([]);
  });
});
