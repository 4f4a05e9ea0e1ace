/**
 * Reports whether a text may be written without quotes: every YAML 1.1 and 1.2 reader must read the same string. The
 * cassette writer and the fast reader share this rule. The reader also accepts the plain scalars of older cassettes.
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

/**
 * First characters of a plain scalar: letters, some ASCII signs, and characters beyond ASCII. No digit, sign, dot,
 * indicator or white space.
 */
const OPENING = /^(?!\s)[A-Za-z_/$(\u00a1-\uffff]/;

/**
 * Reports whether a text has a trailing colon, which makes it a key, or trailing white space, which is lost or
 * invisible.
 */
function endsLikeNothingPlain(text: string): boolean {
  return /[\s:]/.test(text.charAt(text.length - 1));
}

/** Reports whether some YAML reader takes a text for a boolean, null or number. */
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

/** Number of YAML 1.1 as the `yaml` package reads it. */
const EXPONENT = /^e[-+]?\d+$/i;

/** Reports whether a text begins with `e` and a sign or digit. No reserved word does. */
function mayOpenExponent(first: number, second: number): boolean {
  return second <= NINE && (first | LOWER_CASE) === LETTER_E;
}

/**
 * Reports whether ASCII bytes may be written without quotes, like `isPlain`. They come from a JSON string without
 * escapes, and their first byte may open a plain scalar. `marks`: whether they contain a colon or a hash.
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

/** Reports whether the bytes contain a colon before a blank or the end, or a hash after a blank. */
function hasMark(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const c = bytes[i];
    if (c === COLON && (i + 1 === end || bytes[i + 1] === SPACE)) return true;
    if (c === HASH && bytes[i - 1] === SPACE) return true;
  }
  return false;
}

/** Reports whether the bytes match {@link EXPONENT}. */
function isExponent(bytes: Uint8Array, start: number, end: number): boolean {
  const sign = bytes[start + 1];
  const digits = start + (sign === PLUS || sign === DASH ? 2 : 1);
  let i = digits;
  while (i < end && bytes[i]! >= ZERO && bytes[i]! <= NINE) i++;
  return i === end && i > digits;
}

/**
 * Returns a code of up to five characters, six bits each. Letters of either case share a code with no other character.
 */
function codeOf(bytes: Uint8Array, start: number, end: number): number {
  let code = 0;
  for (let i = start; i < end; i++) code = (code << 6) | (bytes[i]! & 31) | ((bytes[i]! & 64) >> 1);
  return code;
}

const RESERVED_CODES: ReadonlySet<number> = new Set(
  RESERVED_WORDS.map((word) =>
    codeOf(
      Uint8Array.from(word, (letter) => letter.charCodeAt(0)),
      0,
      word.length,
    ),
  ),
);

/** Reports whether a text has a tab, a line break or an unprintable character. */
export function isHidden(text: string): boolean {
  return HIDDEN.test(text) || !text.isWellFormed();
}

/**
 * Reports whether a text has a character that YAML forbids unescaped, or that some reader takes for a line break. Tab
 * and LF are allowed.
 */
export function isUnprintable(text: string): boolean {
  return UNPRINTABLE.test(text) || !text.isWellFormed();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const HIDDEN = /[\0-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/;
