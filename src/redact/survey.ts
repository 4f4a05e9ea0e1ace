/**
 * The cheap first look at a text: which kinds of secret could it hold at all? One pass over its characters, with no
 * false "no". Three characters at a time are folded (case apart) to 18 bits, and looked up in a table of marks.
 */

/** What a text may hold; a union of bits. */
export const MAY_HOLD = { pattern: 1, name: 2, known: 4, base64: 8, scheme: 16 } as const;

/** The shortest thing that can be marked. */
export const GRAM = 3;

/** A run of base64 that is shorter is not looked into. */
export const BASE64_LENGTH_MIN = 24;

export type Marks = Uint8Array;

/** A gram is as many codes of six bits. */
const CODE_MAX = 0x3ffff;

/** The code of a character by its lower byte: ASCII keeps all but its case. */
const CODE = Uint8Array.from({ length: 256 }, (_, byte) => (byte & 31) | ((byte & 64) >> 1));

export function emptyMarks(): Marks {
  return new Uint8Array(CODE_MAX + 1);
}

/** Where a gram's code stands after one more character. Only the last three count: older bits fall out. */
function fold(code: number, character: number): number {
  return ((code << 6) | CODE[character & 255]!) & CODE_MAX;
}

/** Marks the last three characters of `gram`. */
export function mark(marks: Marks, gram: string, bit: number): void {
  let code = 0;
  for (let i = gram.length - GRAM; i < gram.length; i++) code = fold(code, gram.charCodeAt(i));
  marks[code]! |= bit;
}

const IS_BASE64 = new Uint8Array(256);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_')
  IS_BASE64[c.charCodeAt(0)] = 1;

/** Bytes are read faster than the characters of a string, so a text is looked at as bytes, a stretch at a time. */
const stretch = Buffer.allocUnsafeSlow(65_536);
const bytes = new Uint8Array(stretch.buffer);

/** Shorter than this, a text is read where it is. */
const COPIED_LENGTH_MIN = 256;

/** The bits of what may stand in `text` between the two offsets. */
export function survey(text: string, marks: Marks, start: number, end: number): number {
  const bits = hasBase64(text, start, end) ? MAY_HOLD.base64 : 0;
  return (
    bits |
    (end - start < COPIED_LENGTH_MIN ? marked(text, marks, start, end) : markedFar(text, marks, start, end))
  );
}

function marked(text: string, marks: Marks, start: number, end: number): number {
  let bits = 0;
  let code = 0;
  for (let i = start; i < end; i++) {
    code = fold(code, text.charCodeAt(i));
    bits |= marks[code]!;
  }
  return bits;
}

function markedFar(text: string, marks: Marks, start: number, end: number): number {
  let bits = 0;
  let code = 0;
  for (let from = start; from < end; from += bytes.length) {
    const length = stretch.write(text.slice(from, Math.min(end, from + bytes.length)), 'latin1');
    for (let i = 0; i < length; i++) {
      code = fold(code, bytes[i]!);
      bits |= marks[code]!;
    }
  }
  return bits;
}

/** The same for text that is ASCII, as bytes. */
export function surveyBytes(ascii: Uint8Array, marks: Marks, start: number, end: number): number {
  let bits = hasBase64Bytes(ascii, start, end) ? MAY_HOLD.base64 : 0;
  let code = 0;
  for (let i = start; i < end; i++) {
    code = fold(code, ascii[i]!);
    bits |= marks[code]!;
  }
  return bits;
}

/** Whether there is a run of base64. Looks at one character of each possible run, and back from it. */
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

/** Whether the code is that of a letter of base64, of either alphabet. */
export function isBase64(c: number): boolean {
  return c < 128 && IS_BASE64[c] === 1;
}

/** The offset just after each gram of `text` that any of `bits` marks. */
export function gramsIn(text: string, marks: Marks, bits: number): number[] {
  const found: number[] = [];
  let code = 0;
  for (let i = 0; i < text.length; i++) {
    code = fold(code, text.charCodeAt(i));
    if ((marks[code]! & bits) !== 0) found.push(i + 1);
  }
  return found;
}

/** The offset just after the first gram that any of `bits` marks, of ASCII as bytes, in which it may begin at `start`; -1: none. */
export function nextGram(ascii: Uint8Array, marks: Marks, bits: number, start: number, end: number): number {
  let code = 0;
  for (let i = start; i < end; i++) {
    code = fold(code, ascii[i]!);
    if ((marks[code]! & bits) !== 0) return i + 1;
  }
  return -1;
}
