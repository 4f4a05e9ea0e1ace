import type { DecodedText } from './decoded-text-offsets.ts';

/** What the JSON string between the two offsets of `text` (its quotes included) says. */
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

/** Where in a string's token each of its characters begins, and the closing quote. */
function offsetsIn(token: string): number[] {
  const offsets: number[] = [];
  for (let at = 1; at < token.length; ) {
    offsets.push(at);
    at += token[at] !== '\\' ? 1 : token[at + 1] === 'u' ? 6 : 2;
  }
  return offsets;
}

/** `text` as it is written inside a JSON string. */
export function insideJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
