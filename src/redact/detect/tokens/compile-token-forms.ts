import { BASE64_LENGTH_MIN } from '../../fast-prefilter/trigram-scan.ts';
import { TOKEN_FORMS } from './token-forms.ts';
import type { TokenPattern } from './token-patterns.ts';

/** Character classes of the form table. */
const ALPHABETS: Readonly<Record<string, string>> = {
  digit: '0-9',
  hex: '0-9a-f',
  anyhex: '0-9A-Fa-f',
  lower: 'a-z',
  alpha: 'A-Za-z',
  base32: '2-7A-Z',
  base36: '0-9a-z',
  BASE36: '0-9A-Z',
  base62: '0-9A-Za-z',
  word: '\\w',
  base64: '+/0-9A-Za-z',
  base64url: '\\w-',
  padded64url: '\\w=-',
};

/** Part of a form: a literal, or characters of a class. */
interface Part {
  literal: string;
  class: string;
  min: number;
  max: number;
}

const START_LENGTH_MIN = 3;
/** `IN_RUN`: characters of base64 runs. `BREAKS_RUN`: characters whose presence in a class may end a run. */
const IN_RUN = /[\w+/-]/;
const BREAKS_RUN = /[.=~%]/;

/** Returns token patterns for all forms of the table. */
export function compileTokenForms(): TokenPattern[] {
  return Object.values(TOKEN_FORMS).flatMap((lines) => lines.trim().split('\n').map(formPattern));
}

function formPattern(line: string): TokenPattern {
  const [name = '', form = ''] = line.split(' ');
  const parts = partsOf(form);
  const first = parts.findIndex(({ literal }) => literal.length >= START_LENGTH_MIN);
  return {
    name,
    starts: [parts[first]!.literal],
    back: parts.slice(0, first).reduce((sum, { min }) => sum + min, 0),
    get pattern() {
      return new RegExp(parts.map(sourceOf).join('') + ending(parts.at(-1)!));
    },
    hasRun: longestRun(parts) >= BASE64_LENGTH_MIN,
    isLoose: true,
  };
}

/** Splits a form into literal parts and parts in `<…>`. */
function partsOf(form: string): Part[] {
  return form.split(/<([^>]*)>/).flatMap((text, index) => {
    if (index % 2 === 1) return [drawnPart(text)];
    return text === '' ? [] : [{ literal: text, class: '', min: text.length, max: text.length }];
  });
}

/** Parses `ALPHABET:LENGTH` or `[CLASS]:LENGTH`. */
function drawnPart(text: string): Part {
  const colon = text.lastIndexOf(':');
  const letters = text.startsWith('[') ? text.slice(1, colon - 1) : ALPHABETS[text.slice(0, colon)]!;
  const [min = '', max = min] = text.slice(colon + 1).split('-');
  const most = min.endsWith('+') ? Number.POSITIVE_INFINITY : Number(max);
  return { literal: '', class: letters, min: Number.parseInt(min, 10), max: most };
}

function sourceOf({ literal, class: letters, min, max }: Part): string {
  if (literal !== '') return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return `[${letters}]{${min},${Number.isFinite(max) ? max : ''}}`;
}

/** Returns the end of a pattern. After a part of limited length, no letter or digit may follow. */
function ending({ max }: Part): string {
  return Number.isFinite(max) ? '(?![A-Za-z0-9])' : '';
}

/** Returns the length of the longest base64 run that occurs in every token of the form. */
function longestRun(parts: readonly Part[]): number {
  let longest = 0;
  let run = 0;
  const grow = (length: number) => {
    run = length;
    longest = Math.max(longest, run);
  };
  for (const { literal, class: letters, min } of parts) {
    if (literal === '' && min > 0) grow(BREAKS_RUN.test(letters) ? 0 : run + min);
    for (const character of literal) grow(IN_RUN.test(character) ? run + 1 : 0);
  }
  return longest;
}
