import type { DecodedText } from './decoded-text-offsets.ts';

/** Decodes the JSON string token from `start` to `end` of `text`, including its quotes. */
export function jsonString(text: string, start: number, end: number): DecodedText {
  const token = text.slice(start, end);
  if (!token.includes('\\')) return { text: token.slice(1, -1), outer: (at) => start + 1 + at };
  let offsets: number[] | undefined;
  return {
    text: JSON.parse(token),
    outer: (at) => {
      offsets ??= offsetsIn(token);
      return start + offsets[at]!;
    },
  };
}

/** Returns the offset in a string token of each character, and of the closing quote. */
function offsetsIn(token: string): number[] {
  const offsets: number[] = [];
  for (let at = 1; at < token.length; ) {
    offsets.push(at);
    at += token[at] !== '\\' ? 1 : token[at + 1] === 'u' ? 6 : 2;
  }
  return offsets;
}

/** Encodes `text` for the inside of a JSON string. */
export function insideJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/**
 * Returns a function for spans in ascending order. It reports whether a span contains no encoding characters (`\`, `%`,
 * `&`) and no `@`.
 */
export function encodingFreeSpans(text: string): (start: number, end: number) => boolean {
  if (!['\\', '%', '@', '&'].some((character) => text.includes(character))) return () => true;
  const special = /[\\%@&]/g;
  let from = 0;
  let next = -1;
  return (start, end) => {
    if (start < from || next < start) {
      special.lastIndex = start;
      next = special.exec(text)?.index ?? text.length;
    }
    from = start;
    return next >= end;
  };
}
