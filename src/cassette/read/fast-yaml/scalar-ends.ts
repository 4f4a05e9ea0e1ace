import { RESERVED_LENGTH_MAX, RESERVED_WORDS } from '../../write/plain-scalar.ts';

/**
 * What most lines of a cassette are made of, told by one loop each. Each takes UTF-8 in which a line break follows all that
 * there is, and gives the offset where the scalar that begins at `start` ends. Unless it says otherwise, -1 means only that the
 * scalar has to be looked at with more care.
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

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;

/**
 * A plain scalar that between quotes is a JSON string: up to its line break, or to the colon that makes a key of it. An exponent
 * alone (`e12`), which is written with quotes, is one, too: older cassettes have it without.
 */
export function plainScalarEnd(bytes: Uint8Array, start: number): number {
  const opens = OPENS[bytes[start]!]!;
  if (opens === 0) return -1;
  for (let end = start + 1; end <= start + LENGTH_MAX; end++) {
    const byte = bytes[end]!;
    const means = MEANS[byte]!;
    if (means === 1) continue;
    if (byte === LF || (byte === COLON && isBreak(bytes[end + 1]))) {
      const isOther = bytes[end - 1] === SPACE || (opens === 2 && mayBeReserved(bytes, start, end));
      return isOther ? -1 : end;
    }
    if (means === 0 || (byte !== COLON && bytes[end - 1] === SPACE)) return -1;
  }
  return -1;
}

/**
 * Where a key that begins at `start` has its colon, if the key is plain, or between double quotes and without escapes: JSON
 * but for the quotes. -1: there is a scalar instead; -2: what there is has to be looked at with more care.
 */
export function keyEnd(bytes: Uint8Array, start: number): number {
  const isNumber = isDigit(bytes[start]!);
  const isQuoted = bytes[start] === QUOTE;
  const end = isNumber || isQuoted ? simpleEnd(bytes, start) : plainScalarEnd(bytes, start);
  if (end >= 0 && bytes[end] === LF) return -1;
  const isKey = end >= 0 && !isNumber && bytes[end] === COLON && isBreak(bytes[end + 1]);
  return isKey ? end : -2;
}

function isBreak(byte: number | undefined): boolean {
  return byte === SPACE || byte === LF;
}

function mayBeReserved(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > RESERVED_LENGTH_MAX) return false;
  let digest = 0;
  for (let at = start; at < end; at++) digest = digested(digest, bytes[at]!);
  return RESERVED.has(digest);
}

/** Mixes a letter into a digest. Upper and lower case give the same. */
function digested(digest: number, byte: number): number {
  return digest * 32 + (byte & 31);
}

const RESERVED = new Set(RESERVED_WORDS.map((word) => Buffer.from(word).reduce(digested, 0)));

/** A double-quoted scalar without escapes, or a number without sign, point and exponent, up to its line break: JSON as it stands. */
export function jsonValueEnd(bytes: Uint8Array, start: number): number {
  const end = simpleEnd(bytes, start);
  return end >= 0 && bytes[end] === LF ? end : -1;
}

function simpleEnd(bytes: Uint8Array, start: number): number {
  return bytes[start] === QUOTE ? quotedEnd(bytes, start) : digitsEnd(bytes, start);
}

/** Behind a double-quoted scalar without escapes. */
function quotedEnd(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  while (MEANS[bytes[end]!]! > 0 && end <= start + LENGTH_MAX) end++;
  return bytes[end] === QUOTE ? end + 1 : -1;
}

function digitsEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (isDigit(bytes[end]!)) end++;
  const isNumber = end > start && (bytes[start] !== ZERO || end === start + 1);
  return isNumber ? end : -1;
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE;
}

/** By byte: none beyond ASCII is in it. */
function tableOf(chars: string, value: number): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of chars) table[char.charCodeAt(0)] = value;
  return table;
}
