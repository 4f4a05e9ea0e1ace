/** Whether a word could begin at `at`: what stands before is no letter or digit, unless that belongs to an escape, or to a colour. */
export function beginsWord(text: string, at: number): boolean {
  if (at === 0 || !isAlphanumeric(text.charCodeAt(at - 1))) return true;
  const isEscape = text[at - 2] === '\\' && 'bfnrt'.includes(text[at - 1]!);
  return isEscape || ENDS_ESCAPE.test(text.slice(Math.max(0, at - ESCAPE_LENGTH_MAX), at));
}

const ESCAPE_LENGTH_MAX = 24;

/** Of a URL, of JSON or YAML; or a colour of a terminal, itself escaped or not. */
const ENDS_ESCAPE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
  /(?:%[0-9a-f]{2}|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|(?:\u001b|\\e|\\x1b|\\033|\\u001b)\[[\d;:?]{0,16}[a-z])$/i;

/** Whether a word could end at `at`. */
export function endsWord(text: string, at: number): boolean {
  return at >= text.length || !isAlphanumeric(text.charCodeAt(at));
}

function isAlphanumeric(c: number): boolean {
  return (c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122);
}
