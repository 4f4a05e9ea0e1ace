import { isHidden, isPlain, isUnprintable } from './plain-scalar.ts';

/** `text` as a YAML scalar on one line: plain, single-quoted or double-quoted, whichever reads best and is exact. */
export function inlineScalar(text: string): string {
  if (isPlain(text)) return text;
  return /["\\]/.test(text) && !isHidden(text) ? singleQuoted(text) : doubleQuoted(JSON.stringify(text));
}

/** `text` as the value of a key or dash that stands at `column`: as above, or a literal block if it has lines. */
export function scalar(text: string, column: number): string {
  return isTidy(text) ? literalBlock(text, column) : inlineScalar(text);
}

/** Between single quotes, where only the quote itself is written otherwise. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A JSON string token as YAML: the same, but for what YAML does not let stand unescaped. */
function doubleQuoted(token: string): string {
  return token.replace(UNPRINTABLE_IN_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const UNPRINTABLE_IN_JSON = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Has several lines, and nothing that a literal block would lose or hide. */
function isTidy(text: string): boolean {
  return (
    text.includes('\n') &&
    !text.endsWith('\n\n') &&
    text !== '\n' &&
    !/[ \t]\n/.test(text) &&
    !/[ \t]/.test(text.charAt(text.length - 1)) &&
    !isUnprintable(text)
  );
}

function literalBlock(text: string, column: number): string {
  const lineBreak = `\n${' '.repeat(column + 2)}`;
  const indicator = /^\n*[ \t]/.test(text) ? '2' : '';
  const body = text.endsWith('\n') ? text.slice(0, -1) : text;
  const chomping = body === text ? '-' : '';
  const lines = lineBreak + body.replaceAll('\n', lineBreak);
  const hasEmptyLines = body.startsWith('\n') || body.includes('\n\n');
  return `|${indicator}${chomping}${hasEmptyLines ? lines.replace(ONLY_INDENTED, '\n') : lines}`;
}

/** An empty line of the text is one in the cassette too: no line of ours ends in a blank. */
const ONLY_INDENTED = /\n +(?=\n)/g;
