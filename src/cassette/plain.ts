/**
 * Which text may stand on the tape without quotes. The writer and our own reader share this answer, so neither can
 * drift from the other: only what every YAML 1.1 and 1.2 reader takes for the same string.
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

/** A word that some reader takes for a boolean, a null or a number. */
export function isReserved(text: string): boolean {
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
