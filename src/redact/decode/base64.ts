import { fastBase64End } from '../../kernel/fast-base64-run-end.ts';
import type { Span } from '../../protocol/json-scan.ts';
import { BASE64_LENGTH_MIN, isBase64, MAY_HOLD, scanBytes, type TrigramTable } from '../fast-prefilter/trigram-scan.ts';
import type { TextEdit } from '../replace/text-edit.ts';
import { type Encoding, opensAsUtf16, redactEncodedRun, type Searches } from './redact-encoded-run.ts';

/** Maximum length of a run whose path segments are searched one by one. */
const PIECEWISE_LENGTH_MAX = 4_096;

/** Decodes a run of base64 or base64url. */
export function decodeBase64(run: string): Buffer {
  return Buffer.from(run, 'base64');
}

const BASE64: Encoding = {
  decode: decodeBase64,
  /** Keeps the alphabet and the padding of `run`. */
  encodeLike: (run, bytes) => {
    const base64 = /[-_]/.test(run) ? bytes.toString('base64url') : bytes.toString('base64');
    return run.endsWith('=') || run.length % 4 === 0 ? base64 : base64.replace(/=+$/, '');
  },
};

/**
 * Returns edits of the base64 runs in `text`. A run that contains a secret is encoded again with a placeholder in its
 * place.
 */
export function base64Edits(text: string, searches: Searches, runs: readonly Span[] = base64Runs(text)): TextEdit[] {
  return runs.flatMap(({ start, end }) => runEdits(text.slice(start, end), start, searches));
}

/** Returns the base64 runs of `text` whose decoded text `isSecret` accepts. */
export function base64Secrets(
  text: string,
  isSecret: (inner: string) => boolean,
  runs: readonly Span[] = base64Runs(text),
): Span[] {
  return runs.filter(({ start, end }) => isSecret(BASE64.decode(text.slice(start, end)).toString('latin1')));
}

/** Reports whether `bytes` are complete base64 groups without a secret, both encoded and decoded. */
export function isPlainBase64(bytes: Uint8Array, marks: TrigramTable): boolean {
  return isPlainRun(bytes.subarray(0, OPENING_BYTES), marks) && isPlainRun(bytes, marks);
}

/** Number of bytes checked first, in complete groups. They usually decide the result. */
const OPENING_BYTES = 2_048;

function isPlainRun(bytes: Uint8Array, marks: TrigramTable): boolean {
  if (scanBytes(bytes, marks, 0, bytes.length) !== MAY_HOLD.base64) return false;
  const said = base64Groups(bytes);
  if (said === undefined || opensAsUtf16(said) || ENCODING.some((byte) => said.includes(byte))) return false;
  return scanBytes(said, marks, 0, said.length) === 0;
}

/** Bytes of encoded text and of addresses: zero, `%`, `&` and `@`. */
const ENCODING: readonly number[] = [0x00, 0x25, 0x26, 0x40];

/** Decodes `bytes` if they are complete base64 groups only. The result is valid until the next call. */
function base64Groups(bytes: Uint8Array): Uint8Array | undefined {
  const { buffer, byteOffset, length } = bytes;
  if (said.length < length) said = Buffer.allocUnsafeSlow(length);
  const count = said.write(Buffer.from(buffer, byteOffset, length).toString('latin1'), 'base64');
  // The decoder skips characters outside the alphabet.
  return count * LETTERS === length * BYTES ? said.subarray(0, count) : undefined;
}

/** Decoding buffer, reused because allocation costs as much as decoding. */
let said: Buffer = Buffer.alloc(0);

/** Letters and bytes of one base64 group. */
const LETTERS = 4;
const BYTES = 3;

/**
 * Returns the base64 runs, with their padding. Tests the last character of each possible run first, then the characters
 * before. A regular expression would keep backtracking state for each character, which exceeds the limit for runs of
 * ten million.
 */
export function base64Runs(text: string): Span[] {
  const runs: Span[] = [];
  for (let start = 0; start + BASE64_LENGTH_MIN <= text.length; ) {
    let before = start + BASE64_LENGTH_MIN - 1;
    while (before >= start && isBase64(text.charCodeAt(before))) before--;
    if (before >= start) {
      start = before + 1;
      continue;
    }
    const last = lettersEnd(text, start + BASE64_LENGTH_MIN);
    let end = last;
    while (text[end] === '=' && end < last + PADDING_MAX) end++;
    runs.push({ start, end });
    start = end;
  }
  return runs;
}

const PADDING_MAX = 2;

/** Returns the offset after the last base64 letter of a run that reaches `at`. */
function lettersEnd(text: string, at: number): number {
  NOT_BASE64.lastIndex = fastBase64End(text, at);
  return NOT_BASE64.exec(text)?.index ?? text.length;
}

const NOT_BASE64 = /[^A-Za-z0-9+/_-]/g;

function runEdits(run: string, at: number, searches: Searches): TextEdit[] {
  const instead = redactEncodedRun(run, BASE64, searches);
  if (instead !== undefined) return [{ start: at, end: at + run.length, text: instead }];
  if (!run.includes('/') || run.length > PIECEWISE_LENGTH_MAX) return [];
  // A path segment may be base64url, after other segments.
  return [...run.matchAll(/[\w-]{8,}={0,2}/g)].flatMap(({ 0: step, index }) => {
    const instead = redactEncodedRun(step, BASE64, searches);
    const start = at + index;
    return instead === undefined ? [] : [{ start, end: start + step.length, text: instead }];
  });
}
