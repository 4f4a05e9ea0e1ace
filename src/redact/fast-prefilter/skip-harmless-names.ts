import { credentialNamed } from '../detect/credential-names.ts';
import { MAY_HOLD, type ScanResult, scanBytes, TRIGRAM, type TrigramTable } from './trigram-scan.ts';

/** Maximum length of a harmless string. */
const WORD_LENGTH_MAX = 64;

/** Characters of a harmless word. None of them separates a name from a value, as in `--token x` or `token=x`. */
const WORD = /^[\w/.]+$/;

/**
 * Reports whether all marked names in `text`, which is JSON without escapes, are single-word strings that name no
 * credential. Half of all messages contain one, such as `"progressToken"`.
 */
export function hasBenignNamesOnly(text: string, seen: ScanResult): boolean {
  return seen.ends(MAY_HOLD.name).every((end) => isHarmless(stringAround(text, end)));
}

function isHarmless(string: string | undefined): boolean {
  return string !== undefined && WORD.test(string) && credentialNamed(string) === undefined;
}

/** Returns the string between the quotes around the trigram that ends at `end`. Undefined: it is too long. */
function stringAround(text: string, end: number): string | undefined {
  const from = Math.max(0, end - WORD_LENGTH_MAX);
  const near = text.slice(from, end + WORD_LENGTH_MAX);
  const open = near.lastIndexOf('"', end - TRIGRAM - from);
  const close = near.indexOf('"', end - from);
  return open < 0 || close < 0 ? undefined : near.slice(open + 1, close);
}

const QUOTE = 0x22;

/**
 * Reports whether the ASCII bytes between two offsets contain only harmless names, and nothing else that could be a
 * secret.
 */
export function isClean(ascii: Uint8Array, marks: TrigramTable, start: number, end: number): boolean {
  /** End of the last harmless string. */
  let judged = start;
  const bits = scanBytes(ascii, marks, start, end, (at, marked) => {
    const bit = marked & ~MAY_HOLD.run;
    if (bit === 0 || judged === NEVER || (bit === MAY_HOLD.name && at <= judged)) return;
    judged = bit === MAY_HOLD.name ? harmlessEnd(ascii, at, start, end) : NEVER;
  });
  return judged !== NEVER && (bits & MAY_HOLD.base64) === 0;
}

const NEVER = -1;

/** Returns the end of the string around the trigram that ends at `at`. `NEVER`: it may name a credential. */
function harmlessEnd(ascii: Uint8Array, at: number, start: number, end: number): number {
  let open = at - TRIGRAM;
  for (const first = Math.max(start, at - WORD_LENGTH_MAX); ascii[open] !== QUOTE; open--)
    if (open <= first) return NEVER;
  let close = at;
  for (const last = Math.min(end, at + WORD_LENGTH_MAX) - 1; ascii[close] !== QUOTE; close++)
    if (close >= last) return NEVER;
  return isHarmlessWord(ascii, open + 1, close) ? close : NEVER;
}

interface Judged {
  word: Uint8Array;
  isHarmless: boolean;
}

/** Results by hash of the word. Nearly all traffic has the same few words. */
const judged = new Map<number, Judged>();
const JUDGED_MAX = 1_000;

/** Reports whether the word between two offsets is harmless. Known words are not converted to strings again. */
function isHarmlessWord(ascii: Uint8Array, start: number, end: number): boolean {
  let sum = 0;
  for (let i = start; i < end; i++) sum = (Math.imul(sum, 31) + ascii[i]!) | 0;
  const known = judged.get(sum);
  if (known !== undefined && isSame(known.word, ascii, start, end)) return known.isHarmless;
  const word = ascii.slice(start, end);
  const answer = { word, isHarmless: isHarmless(String.fromCharCode(...word)) };
  if (judged.size < JUDGED_MAX) judged.set(sum, answer);
  return answer.isHarmless;
}

function isSame(word: Uint8Array, ascii: Uint8Array, start: number, end: number): boolean {
  if (word.length !== end - start) return false;
  for (let i = 0; i < word.length; i++) if (word[i] !== ascii[start + i]) return false;
  return true;
}
