import type { Layer } from './layer.ts';

/** What the JSON string between the two offsets of `text` (its quotes included) says. */
export function jsonString(text: string, start: number, end: number): Layer {
  const inner = text.slice(start + 1, end - 1);
  if (!inner.includes('\\')) return { text: inner, outer: (at) => start + 1 + at };
  const offsets: number[] = [];
  let decoded = '';
  for (let at = 0; at < inner.length; ) {
    const length = inner[at] !== '\\' ? 1 : inner[at + 1] === 'u' ? 6 : 2;
    offsets.push(start + 1 + at);
    decoded += length === 1 ? inner[at] : JSON.parse(`"${inner.slice(at, at + length)}"`);
    at += length;
  }
  return { text: decoded, outer: (at) => offsets[at] ?? end - 1 };
}

/** `text` as it is written inside a JSON string. */
export function insideJsonString(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
