/**
 * Reports whether a word could begin at `at`: not after a letter or digit, unless that ends an escape or a colour
 * sequence.
 */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1))) return true;
  const isEscape = text[at - 2] === '\\' && 'bfnrt'.includes(text[at - 1]!);
  return isEscape || ENDS_ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_LENGTH_MAX), at));
}

const ESCAPE_LENGTH_MAX = 24;

/** Escape of a URL, of JSON or YAML, or colour sequence of a terminal, perhaps escaped itself. */
const ENDS_ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
  /(?:%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|(?:\u001b|\\e|\\x1b|\\033|\\u001b)\[[\d;:?]{0,16}[a-z])$/i;

/** Reports whether a word could end at `at`. */
export function endsWord(text: string, at: number): boolean {
  return at >= text.length || !isAlphanumeric(text.charCodeAt(at));
}

function isAlphanumeric(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
}
