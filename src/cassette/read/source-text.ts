import type { Place } from '../../kernel/errors.ts';

/** Cassette, or a part of one, with its origin. Line breaks are LF, to which YAML normalizes all others. */
export interface SourceText {
  file: string;
  text: string;
  /** Line number of the text's start in the file, from 1. */
  line: number;
}

/** Returns the file position of the character at `offset`, with its line. */
export function placeOf({ file, text, line }: SourceText, offset: number): Place {
  // A negative position is 0 to `lastIndexOf`, which would find a line break at the beginning.
  const start = offset === 0 ? 0 : text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  return {
    file,
    line: line + countBreaks(text, 0, start),
    column: offset - start + 1,
    text: text.slice(start, end < 0 ? text.length : end),
  };
}

/** Returns the number of line breaks in `text` from `start` to `end`. */
export function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** Replaces CRLF and CR by LF, as YAML does. */
export function normalizeBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
