// Fast path. Duplicates: the detectors of ../detect and ../decode. Handles: texts in which no detector can find anything.
// Gain: docs/decisions/0008-what-recording-costs.md; `npm run bench -- stdio` prints it. Equality test: test/redact/fast-prefilter/trigram-scan.test.ts.

/**
 * Cheap prefilter: which kinds of secrets may a text contain? It needs one pass and has no false negatives. Each
 * trigram is folded to 18 bits, ignoring case, and looked up in a table of marks.
 */
/**
 * Bits for kinds of secrets. `run` means a token containing a base64 run; it counts only if the text contains such a
 * run.
 */
export const MAY_HOLD = { pattern: 1, name: 2, known: 4, base64: 8, scheme: 16, tool: 32, run: 64 } as const;

/** Bits of a text that may contain a token. */
export const MAY_HOLD_TOKEN: number = MAY_HOLD.pattern | MAY_HOLD.run | MAY_HOLD.base64;

/** Length of a marked sequence of characters. */
export const TRIGRAM = 3;

/** Minimum length of a base64 run that is decoded. */
export const BASE64_LENGTH_MIN = 24;

export interface TrigramTable {
  /** Hints by trigram code. */
  readonly grams: Uint8Array;
  /** Hints by trigram code. */
  readonly pairs: Uint8Array;
}

/** Maximum trigram code: three codes of six bits. */
const CODE_MAX = 0x3ffff;

/** Code of a character by its lower byte. ASCII letters lose only their case. */
const CODE = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 31) | ((byte & 64) >> 1));

/** Bytes by code. */
const BYTES: readonly number[][] = Array.from({ length: 64 }, () => []);
for (const [byte, code] of CODE.entries()) BYTES[code]!.push(byte);

export function emptyTrigramTable(): TrigramTable {
  return { grams: new Uint8Array(CODE_MAX + 1), pairs: new Uint8Array(0x10000) };
}

/** Returns the trigram code after one more character. Bits of older characters are dropped. */
function fold(code: number, character: number): number {
  return ((code << 6) | CODE[character & 255]!) & CODE_MAX;
}

/** Marks the last three characters of `gram`. */
export function mark({ grams, pairs }: TrigramTable, gram: string, bit: number): void {
  let code = 0;
  for (let i = gram.length - TRIGRAM; i < gram.length; i++) code = fold(code, gram.charCodeAt(i));
  grams[code]! |= bit;
  for (const pair of [code >> 6, code & 0xfff]) {
    const [firsts, seconds] = [BYTES[pair >> 6]!, BYTES[pair & 63]!];
    if (pairs[pairOf(firsts[0]!, seconds[0]!)] === 1) continue;
    for (const first of firsts) for (const second of seconds) pairs[pairOf(first, second)] = 1;
  }
}

/** Returns two bytes as one number, in the byte order of this machine. */
function pairOf(first: number, second: number): number {
  return IS_LITTLE_ENDIAN ? first | (second << 8) : (first << 8) | second;
}

const IS_LITTLE_ENDIAN = new Uint16Array(Uint8Array.of(1, 0).buffer)[0] === 1;

const IS_BASE64 = new Uint8Array(256);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') IS_BASE64[c.charCodeAt(0)] = 1;

/** Buffer for chunks of the scanned text, because byte pairs are read faster than characters. */
const stretch = Buffer.allocUnsafeSlow(65_536);
const bytes = new Uint8Array(stretch.buffer);
const pairsOfBytes = new Uint16Array(stretch.buffer);

/** Marked trigrams of the chunk, in order: their count, and the end offset and bits of each. */
let sighted = 0;
const sightedEnds = new Uint32Array(stretch.length);
const sightedBits = new Uint8Array(stretch.length);

/** Minimum length of a text that is copied before scanning. */
export const COPIED_LENGTH_MIN = 256;

/** Scans `text` from `start` to `end`. Returns the bits of its marked trigrams. */
export function scanTrigrams(text: string, marks: TrigramTable, start: number, end: number): number {
  const isShort = end - start < COPIED_LENGTH_MIN;
  const bits = isShort ? marked(text, marks, start, end) : markedFar(text, marks, start, end);
  return withBase64(bits, hasBase64(text, start, end));
}

function withBase64(bits: number, isThere: boolean): number {
  return isThere ? bits | MAY_HOLD.base64 : bits & ~MAY_HOLD.run;
}

/** Scans ASCII bytes instead of text. */
export function scanBytes(ascii: Uint8Array, marks: TrigramTable, start: number, end: number, found?: Found): number {
  const bits = markedFar(ascii, marks, start, end, found);
  return withBase64(bits, hasBase64Bytes(ascii, start, end));
}

/** Result of a scan, shared by all detectors. */
export interface ScanResult {
  /** Kinds of secrets that the text may contain, as bits of `MAY_HOLD`. */
  readonly bits: number;
  /** Returns the end offsets of the trigrams marked with any of `bits`, in order. */
  ends(bits: number): number[];
}

/** Scans `text` and records the positions of marked trigrams. For a short text, positions are computed on demand. */
export function scanText(text: string, marks: TrigramTable): ScanResult {
  if (text.length >= COPIED_LENGTH_MIN) return fullLook(text, marks);
  return {
    bits: scanTrigrams(text, marks, 0, text.length),
    ends: (wanted) => fullLook(text, marks).ends(wanted),
  };
}

function fullLook(text: string, marks: TrigramTable): ScanResult {
  const ends: number[] = [];
  const kinds: number[] = [];
  const bits = markedFar(text, marks, 0, text.length, (end, kind) => {
    ends.push(end);
    kinds.push(kind);
  });
  return {
    bits: withBase64(bits, hasBase64(text, 0, text.length)),
    ends: (wanted) => ends.filter((_, i) => (kinds[i]! & wanted) !== 0),
  };
}

/** Called for each marked trigram, in order, with its end offset and bits. It must not start another scan. */
export type Found = (end: number, bits: number) => void;

function marked(text: string, marks: TrigramTable, start: number, end: number): number {
  let bits = 0;
  let code = 0;
  for (let i = start; i < end; i++) {
    code = fold(code, text.charCodeAt(i));
    bits |= marks.grams[code]!;
  }
  return bits;
}

/** Scans in chunks, which overlap so that no trigram is split. */
function markedFar(data: string | Uint8Array, marks: TrigramTable, start: number, end: number, found?: Found): number {
  let bits = 0;
  for (let from = start; from < end; from += bytes.length - TRIGRAM + 1) {
    const length = copy(data, from, Math.min(end, from + bytes.length));
    bits |= markedStretch(length, marks);
    if (found) for (let n = 0; n < sighted; n++) found(from + sightedEnds[n]!, sightedBits[n]!);
  }
  return bits;
}

/** Copies the characters between two offsets to the chunk buffer. Returns the number of bytes. */
function copy(data: string | Uint8Array, start: number, end: number): number {
  if (typeof data === 'string') return stretch.write(data.slice(start, end), 'latin1');
  bytes.set(data.subarray(start, end));
  return end - start;
}

/** Number of pairs that are examined one by one before the fast skipping resumes. */
const NEAR = 64;

/** Finds the marked trigrams of the chunk. Only trigrams that begin or end with a marked pair are looked up. */
function markedStretch(length: number, { grams, pairs }: TrigramTable): number {
  let bits = 0;
  sighted = 0;
  const pairCount = length >> 1;
  for (let pair = unmarked(0, pairCount, pairs); pair < pairCount; pair = unmarked(pair, pairCount, pairs)) {
    for (const end = Math.min(pairCount, pair + NEAR); pair < end; pair++) {
      if (pairs[pairsOfBytes[pair]!] === 0) continue;
      const at = 2 * pair;
      const before = at > 0 ? grams[codeAt(at - 1)]! : 0;
      const after = at + TRIGRAM <= length ? grams[codeAt(at)]! : 0;
      if ((before | after) === 0) continue;
      bits |= before | after;
      if (before !== 0) note(at - 1 + TRIGRAM, before);
      if (after !== 0) note(at + TRIGRAM, after);
    }
  }
  return bits;
}

/** Skips pairs until one of the next four is marked, with one branch per four pairs. */
function unmarked(from: number, pairCount: number, pairs: Uint8Array): number {
  let at = from;
  for (const last = pairCount - 4; at <= last; at += 4) {
    const four =
      pairs[pairsOfBytes[at]!]! |
      pairs[pairsOfBytes[at + 1]!]! |
      pairs[pairsOfBytes[at + 2]!]! |
      pairs[pairsOfBytes[at + 3]!]!;
    if (four !== 0) break;
  }
  return at;
}

function note(end: number, bits: number): void {
  sightedEnds[sighted] = end;
  sightedBits[sighted++] = bits;
}

/** Returns the trigram code at offset `at` of the chunk. */
function codeAt(at: number): number {
  return (CODE[bytes[at]!]! << 12) | (CODE[bytes[at + 1]!]! << 6) | CODE[bytes[at + 2]!]!;
}

/**
 * Reports whether the text has a base64 run. It tests one character of each possible run, then the characters before
 * it.
 */
function hasBase64(text: string, start: number, end: number): boolean {
  for (let last = start + BASE64_LENGTH_MIN - 1; last < end; ) {
    let before = last;
    while (before > last - BASE64_LENGTH_MIN && isBase64(text.charCodeAt(before))) before--;
    if (before === last - BASE64_LENGTH_MIN) return true;
    last = before + BASE64_LENGTH_MIN;
  }
  return false;
}

function hasBase64Bytes(ascii: Uint8Array, start: number, end: number): boolean {
  for (let last = start + BASE64_LENGTH_MIN - 1; last < end; ) {
    let before = last;
    while (before > last - BASE64_LENGTH_MIN && IS_BASE64[ascii[before]!] === 1) before--;
    if (before === last - BASE64_LENGTH_MIN) return true;
    last = before + BASE64_LENGTH_MIN;
  }
  return false;
}

/** Reports whether a character code is a base64 letter of either alphabet. */
export function isBase64(c: number): boolean {
  return c < 128 && IS_BASE64[c] === 1;
}
