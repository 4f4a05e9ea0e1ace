/**
 * Which text may stand on the tape without quotes. The writer and our own reader share this answer, so neither can
 * drift from the other: only what every YAML 1.1 and 1.2 reader takes for the same string.
 */
export function isPlain(text: string): boolean {
  return (
    OPENING.test(text) &&
    !UNPRINTABLE.test(text) &&
    !/[\t\n]/.test(text) &&
    hasPlainEdges(text) &&
    !text.includes(': ') &&
    !text.includes(' #') &&
    !isReserved(text)
  );
}

/** What a reader of YAML would not show as it is, or would take for the end of a line. Tab and LF are not among it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
export const UNPRINTABLE: RegExp = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\p{Surrogate}]/u;

/** ASCII that may open a plain scalar: no digit, sign, dot or indicator ever does. */
const OPENING = /^[A-Za-z_/$(\u00a1-\uffff]/;

/** A word that some reader takes for a boolean, a null or a number. */
export function isReserved(text: string): boolean {
  return text.length <= RESERVED_LENGTH_MAX && RESERVED.test(text);
}

const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
const RESERVED_LENGTH_MAX = 5;

/** A trailing colon makes a key; white space at an edge is lost, or not seen. */
function hasPlainEdges(text: string): boolean {
  return !/^\s|[\s:]$/.test(text);
}
