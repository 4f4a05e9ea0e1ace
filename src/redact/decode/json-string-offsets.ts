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
