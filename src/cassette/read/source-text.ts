import type { Place } from '../../kernel/errors.ts';

/** A cassette, or a stretch of one, and where it comes from. Line breaks are LF, as YAML reads every other kind. */
export interface SourceText {
  file: string;
  text: string;
  /** Line number of the text's start in the file, from 1. */
  line: number;
}

/** Returns the place in the file of the character at `offset`, with its line. */
export function placeOf({ file, text, line }: SourceText, offset: number): Place {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  const end = text.indexOf('\n', start);
  return {
    file,
    line: line + countBreaks(text, 0, start),
    column: offset - start + 1,
    text: text.slice(start, end < 0 ? text.length : end),
  };
}

/** How many line breaks stand in `text` from `start` up to `end`. */
export function countBreaks(text: string, start: number, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n', start); at >= 0 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

/** YAML takes CRLF and CR for the same line break as LF. */
export function normalizeBreaks(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
