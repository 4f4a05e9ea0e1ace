import { isHidden, isPlain, isUnprintable } from './plain-scalar.ts';

/**
 * Returns `text` as a single-line YAML scalar: plain, single-quoted or double-quoted, whichever is exact and most
 * readable.
 */
export function inlineScalar(text: string): string {
  if (isPlain(text)) return text;
  return /["\\]/.test(text) && !isHidden(text) ? singleQuoted(text) : doubleQuoted(JSON.stringify(text));
}

/**
 * Returns `text` as the value of a key or dash at `column`: a literal block if it has several lines, otherwise a single
 * line.
 */
export function scalar(text: string, column: number): string {
  return isTidy(text) ? literalBlock(text, column) : inlineScalar(text);
}

/** Returns `text` in single quotes. Only the quote itself is escaped. */
export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Converts a JSON string token to YAML, by escaping characters that YAML forbids. */
function doubleQuoted(token: string): string {
  return token.replace(UNPRINTABLE_IN_JSON, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const UNPRINTABLE_IN_JSON = /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Reports whether a text has several lines, and a literal block keeps all of it visibly. */
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

/** Lines of indentation only. An empty line of the text stays empty, because the writer leaves no trailing blanks. */
const ONLY_INDENTED = /\n +(?=\n)/g;
