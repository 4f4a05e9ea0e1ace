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

const PART = /<(?:\[([^>]*)\]|(\w+)):(\d+)(?:-(\d+)|(\+))?>|[^<]+/g;
const START_LENGTH_MIN = 3;

/** Returns token patterns for all forms of the table. */
export function formPatterns(): TokenPattern[] {
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

function partsOf(form: string): Part[] {
  return [...form.matchAll(PART)].map(([text, listed, alphabet, min, max, endless]) => {
    if (min === undefined) return { literal: text, class: '', min: text.length, max: text.length };
    const most = endless === undefined ? Number(max ?? min) : Number.POSITIVE_INFINITY;
    return { literal: '', class: listed ?? ALPHABETS[alphabet!]!, min: Number(min), max: most };
  });
}

function sourceOf({ literal, class: letters, min, max }: Part): string {
  if (literal !== '') return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  return `[${letters}]{${min},${Number.isFinite(max) ? max : ''}}`;
}

/** Returns the end of a pattern. A part of limited length must end there. */
function ending({ max }: Part): string {
  return Number.isFinite(max) ? '(?![A-Za-z0-9])' : '';
}

/** Returns the length of the longest base64 run that every token of the form has. */
function longestRun(parts: readonly Part[]): number {
  const runs = parts
    .map(({ literal, class: letters, min }) => literal || (/[.=~%]/.test(letters) ? '.' : 'x').repeat(min))
    .join('')
    .split(/[^\w+/-]/);
  return Math.max(...runs.map((run) => run.length));
}
