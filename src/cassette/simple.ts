import { isReserved } from './plain.ts';

/**
 * What most lines of a tape are made of, told by one loop each. A no means only that the scalar has to be looked at
 * with more care; offsets are of the text, `end` is exclusive.
 */

/** ASCII that may open a plain scalar; 2 for what may open a reserved word. */
const OPENS = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/$(', 1);
for (const char of 'yYnNoOtTfFiI') OPENS[char.charCodeAt(0)] = 2;

/** Printable ASCII that means nothing inside a plain scalar, nor in a JSON string; 2 for `:` and `#`, which may. */
const MEANS = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 1);
for (const char of " !$%&'()*+,-./;<=>?@[]^_`{|}~") MEANS[char.charCodeAt(0)] = 1;
for (const char of ':#') MEANS[char.charCodeAt(0)] = 2;

/** A loop over more than this is slower than native searches. */
const LENGTH_MAX = 200;

const SPACE = 0x20;
const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;

/** A plain scalar that between quotes is a JSON string. */
export function isSimplePlain(text: string, start: number, end: number): boolean {
  const opens = OPENS[text.charCodeAt(start)];
  if (!(opens! > 0) || end - start > LENGTH_MAX || text.charCodeAt(end - 1) === SPACE) return false;
  for (let i = start + 1; i < end; i++) {
    const c = text.charCodeAt(i);
    const means = MEANS[c];
    if (means === 1) continue;
    if (means !== 2) return false;
    const isMark =
      c === COLON ? i + 1 === end || text.charCodeAt(i + 1) === SPACE : text.charCodeAt(i - 1) === SPACE;
    if (isMark) return false;
  }
  return opens === 1 || !isReserved(text.slice(start, end));
}

/** A double-quoted scalar without escapes, or a number without sign, point and exponent: JSON as it stands. */
export function isSimpleJson(text: string, start: number, end: number): boolean {
  const first = text.charCodeAt(start);
  return first === QUOTE ? isQuoted(text, start, end) : isDigits(text, start, end);
}

function isQuoted(text: string, start: number, end: number): boolean {
  const last = end - 1;
  if (end - start > LENGTH_MAX || last === start || text.charCodeAt(last) !== QUOTE) return false;
  for (let i = start + 1; i < last; i++) if (!(MEANS[text.charCodeAt(i)]! > 0)) return false;
  return true;
}

function isDigits(text: string, start: number, end: number): boolean {
  if (end === start || (text.charCodeAt(start) === ZERO && end > start + 1)) return false;
  for (let i = start; i < end; i++) {
    const c = text.charCodeAt(i);
    if (c < ZERO || c > NINE) return false;
  }
  return true;
}

function tableOf(chars: string, value: number): Uint8Array {
  const table = new Uint8Array(128);
  for (const char of chars) table[char.charCodeAt(0)] = value;
  return table;
}
