import { utf8BytesOf } from '../../../kernel/platform/bytes.ts';
import { RESERVED_LENGTH_MAX, RESERVED_WORDS } from '../../write/plain-scalar.ts';

/**
 * Finders of a scalar's end, with one loop each, for the usual lines of a cassette. Each takes UTF-8 that ends with a
 * line break, and returns the offset after the scalar at `start`. Unless stated otherwise, -1 means that a slower
 * reader has to decide.
 */

/** Table of ASCII bytes that may open a plain scalar; 2 for those that may open a reserved word. */
const OPENS = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_/$(', 1);
for (const char of 'yYnNoOtTfFiI') OPENS[char.charCodeAt(0)] = 2;

/**
 * Table of printable ASCII bytes without a special meaning in plain scalars and JSON strings; 2 for `:` and `#`, which
 * may have one.
 */
const MEANS = tableOf('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789', 1);
for (const char of " !$%&'()*+,-./;<=>?@[]^_`{|}~") MEANS[char.charCodeAt(0)] = 1;
for (const char of ':#') MEANS[char.charCodeAt(0)] = 2;

/** Maximum length of a scalar. For longer ones, native searches are faster. */
const LENGTH_MAX = 200;

const LF = 0x0a;
const SPACE = 0x20;
const QUOTE = 0x22;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;

/**
 * Returns the end of a plain scalar that only needs quotes to become JSON: at its line break, or at the colon after a
 * key. A lone exponent (`e12`) is accepted, because older cassettes have it without quotes.
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
 * Returns the offset of the colon after a key at `start`, if the key is plain, or double-quoted without escapes.
 * -1: a scalar stands here. -2: a slower reader has to decide.
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

/** Adds a letter to a digest, ignoring case. */
function digested(digest: number, byte: number): number {
  return digest * 32 + (byte & 31);
}

const RESERVED = new Set(RESERVED_WORDS.map((word) => utf8BytesOf(word).reduce(digested, 0)));

/**
 * Returns the end of a double-quoted scalar without escapes, or of a number without sign, point and exponent, at its
 * line break. Its text is valid JSON.
 */
export function jsonValueEnd(bytes: Uint8Array, start: number): number {
  const end = simpleEnd(bytes, start);
  return end >= 0 && bytes[end] === LF ? end : -1;
}

function simpleEnd(bytes: Uint8Array, start: number): number {
  return bytes[start] === QUOTE ? quotedEnd(bytes, start) : digitsEnd(bytes, start);
}

/** Returns the offset after a double-quoted scalar without escapes. */
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

/** Creates a lookup table that maps each byte of `chars` to `value`. */
function tableOf(chars: string, value: number): Uint8Array {
  const table = new Uint8Array(256);
  for (const char of chars) table[char.charCodeAt(0)] = value;
  return table;
}
