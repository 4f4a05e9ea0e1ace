/**
 * Which text may stand in the cassette without quotes: only what every YAML 1.1 and 1.2 reader takes for the same string. The writer
 * and our own reader share this answer, so neither can drift from the other; what older cassettes have, the reader takes, too.
 */
export function isPlain(text: string): boolean {
  return (
    OPENING.test(text) &&
    !endsLikeNothingPlain(text) &&
    !text.includes(': ') &&
    !text.includes(' #') &&
    !isReserved(text) &&
    !isHidden(text)
  );
}

/** ASCII that may open a plain scalar, and all beyond it: no digit, sign, dot, indicator or white space. */
const OPENING = /^(?!\s)[A-Za-z_/$(\u00a1-\uffff]/;

/** A trailing colon makes a key; trailing white space is lost, or not seen. */
function endsLikeNothingPlain(text: string): boolean {
  return /[\s:]/.test(text.charAt(text.length - 1));
}

/** What some reader takes for a boolean, a null or a number. */
export function isReserved(text: string): boolean {
  if (mayOpenExponent(text.charCodeAt(0), text.charCodeAt(1))) return EXPONENT.test(text);
  return text.length <= RESERVED_LENGTH_MAX && RESERVED.test(text);
}

export const RESERVED_WORDS: readonly string[] = [
  'y',
  'n',
  'yes',
  'no',
  'on',
  'off',
  'true',
  'false',
  'null',
  'nan',
  'inf',
];

const RESERVED = new RegExp(`^(?:${RESERVED_WORDS.join('|')})$`, 'i');
export const RESERVED_LENGTH_MAX = 5;

/** A number of YAML 1.1 as the `yaml` package reads it. */
const EXPONENT = /^e[-+]?\d+$/i;

/** The letter, and a sign or digit: neither of them opens a reserved word. */
function mayOpenExponent(first: number, second: number): boolean {
  return second <= NINE && (first | LOWER_CASE) === LETTER_E;
}

/**
 * `isPlain` for the ASCII of a string of JSON without escapes that opens like a plain one. `marks`: whether it holds a colon or
 * a hash.
 */
export function isPlainAscii(bytes: Uint8Array, start: number, end: number, marks: boolean): boolean {
  if (bytes[end - 1] === SPACE || (marks && hasMark(bytes, start, end))) return false;
  if (mayOpenExponent(bytes[start]!, bytes[start + 1]!)) return !isExponent(bytes, start, end);
  return end - start > RESERVED_LENGTH_MAX || !RESERVED_CODES.has(codeOf(bytes, start, end));
}

const LOWER_CASE = 0x20;
const SPACE = 0x20;
const HASH = 0x23;
const PLUS = 0x2b;
const DASH = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const LETTER_E = 0x65;

/** Whether there is a colon before a blank or the end, or a hash after a blank. */
function hasMark(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = bytes[i];
    if (c === COLON && (i + 1 === end || bytes[i + 1] === SPACE)) return true;
    if (c === HASH && bytes[i - 1] === SPACE) return true;
  }
  return false;
}

/** The same as {@link EXPONENT}, behind the letter. */
function isExponent(bytes: Uint8Array, start: number, end: number): boolean {
  const sign = bytes[start + 1];
  const digits = start + (sign === PLUS || sign === DASH ? 2 : 1);
  let i = digits;
  while (i < end && bytes[i]! >= ZERO && bytes[i]! <= NINE) i++;
  return i === end && i > digits;
}

/** Six bits of each printable character: letters keep all but their case, and share a code with nothing else. */
function codeOf(bytes: Uint8Array, start: number, end: number): number {
  let code = 0;
  for (let i = start; i < end; i++) code = (code << 6) | (bytes[i]! & 31) | ((bytes[i]! & 64) >> 1);
  return code;
}

const RESERVED_CODES: ReadonlySet<number> = new Set(
  RESERVED_WORDS.map((word) => codeOf(Buffer.from(word), 0, word.length)),
);

/** Holds a tab or a line break, or what {@link isUnprintable} means. */
export function isHidden(text: string): boolean {
  return HIDDEN.test(text) || !text.isWellFormed();
}

/** Holds what YAML does not let stand as it is, or some reader takes for the end of a line; tab and LF are neither. */
export function isUnprintable(text: string): boolean {
  return UNPRINTABLE.test(text) || !text.isWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const HIDDEN = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
