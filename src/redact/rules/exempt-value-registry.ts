import type { Span } from '../../protocol/json-scan.ts';
import { insideJsonString } from '../decode/json-string-offsets.ts';

/** Required context of an exempt value. */
interface Surroundings {
  before: string;
  after: string;
  key: string | undefined;
}

/** Exempt values, each valid only in its own context. */
export interface Exemptions {
  /** Exempts the secret-looking parts of `value`, which stays. With `key`, only under that key. */
  add(value: string, parts: readonly Span[], key?: string): void;
  /** Reports whether `part` of a text is exempt. The text may be YAML or JSON in any spelling. */
  cover(text: string, part: Span): boolean;
}

/**
 * Maximum number of exempt parts of a value. Each is compared with the whole value around it; a cursor or signed state
 * has one or two tokens.
 */
const PARTS_MAX = 16;

/** Creates an empty set of exemptions. */
export function createExemptions(): Exemptions {
  const byPart = new Map<string, Map<string, Surroundings>>();
  return {
    add(value, parts, key) {
      for (const { start, end } of parts.slice(0, PARTS_MAX)) {
        const part = value.slice(start, end);
        const places = byPart.get(part) ?? new Map<string, Surroundings>();
        byPart.set(part, places.set(`${key}: ${value}`, surroundings(value, { start, end }, key)));
      }
    },
    cover(text, part) {
      const places = byPart.get(text.slice(part.start, part.end));
      return places !== undefined && [...places.values()].some((place) => stands(text, part, place));
    },
  };
}

/**
 * Returns the context of a part. In a multi-line value, the context is the part's line, because indentation may vary.
 */
function surroundings(value: string, { start, end }: Span, key: string | undefined): Surroundings {
  const line = value.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = value.indexOf('\n', end);
  const before = start === 0 ? '' : value.slice(line, start);
  const after = value.slice(end, lineEnd < 0 ? value.length : lineEnd);
  return { before, after, key: value.includes('\n') ? undefined : key };
}

/** Spellings of a text in YAML and JSON: plain, in quotes, and in nested quotes. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  insideJsonString,
  (text) => insideJsonString(insideJsonString(text)),
  (text) => text.replaceAll("'", "''"),
  (text) => insideJsonString(text).replace(UNPRINTED, escaped),
];

/** Characters that YAML must escape and JSON need not. */
const UNPRINTED = /[\u007f-\u009f\u2028\u2029\ufeff]/g;

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function stands(text: string, { start, end }: Span, { before, after, key }: Surroundings): boolean {
  return SPELLINGS.some((spelt) => {
    const from = start - spelt(before).length;
    const isThere = from >= 0 && text.startsWith(spelt(before), from) && text.startsWith(spelt(after), end);
    return isThere && (key === undefined || standsUnder(text, from, key));
  });
}

/** Reports whether the key stands before the value at `at`, in YAML or JSON. */
function standsUnder(text: string, at: number, key: string): boolean {
  const colon = skippedBack(text, at);
  if (text[colon - 1] !== ':') return false;
  const keyEnd = skippedBack(text, colon - 1);
  const keyStart = keyEnd - key.length;
  return text.startsWith(key, keyStart) && !/[\w./-]/.test(text[keyStart - 1] ?? ' ');
}

/** Returns the offset before quotes, their escapes, and white space. */
function skippedBack(text: string, at: number): number {
  while (at > 0 && /["'\\\s]/.test(text[at - 1]!)) at--;
  return at;
}
