import type { Span } from '../../protocol/json-scan.ts';
import { type DecodedText, withReplacements } from './decoded-text-offsets.ts';

const ESCAPES = /(?:%[0-9A-Fa-f]{2})+/g;
const UNRESERVED = /[\w.~!*'()+-]/;

/**
 * Returns the words of `text` that contain percent escapes (RFC 3986 §2.1). A word with a plus is returned twice: a
 * plus means a blank in forms, and itself elsewhere.
 */
export function percentEncoded(text: string): DecodedText[] {
  const layers: DecodedText[] = [];
  let end = 0;
  for (const { 0: escapes, index } of text.matchAll(ESCAPES)) {
    if (index < end) continue;
    let start = index;
    while (start > end && UNRESERVED.test(text[start - 1]!)) start--;
    end = wordEnd(text, index + escapes.length);
    const span = { start, end };
    layers.push(decoded(text, span, '+'));
    if (text.slice(start, end).includes('+')) layers.push(decoded(text, span, ' '));
  }
  return layers;
}

/** Decodes every percent escape of `text`, including those in partly escaped words such as `p%40ss:w/rd`. */
export function percentDecoded(text: string): DecodedText {
  const stretches = [...text.matchAll(ESCAPES)].flatMap(({ 0: escapes, index }) => {
    let start = index;
    return [...(utf8(escapes) ?? '')].map((character) => {
      const end = start + 3 * Buffer.byteLength(character);
      const stretch = { start, end, text: character };
      start = end;
      return stretch;
    });
  });
  return withReplacements(text, stretches);
}

function wordEnd(text: string, at: number): number {
  while (at < text.length) {
    if (UNRESERVED.test(text[at]!)) at++;
    else if (/^%[0-9A-Fa-f]{2}$/.test(text.slice(at, at + 3))) at += 3;
    else break;
  }
  return at;
}

function decoded(text: string, { start, end }: Span, plus: string): DecodedText {
  const offsets: number[] = [];
  let result = '';
  const take = (piece: string, at: number, step: (codePoint: string) => number) => {
    for (const character of piece) {
      for (let unit = 0; unit < character.length; unit++) offsets.push(at);
      at += step(character);
    }
    result += piece;
  };
  const plain = (from: number, to: number) =>
    take(text.slice(from, to).replaceAll('+', plus), from, (character) => character.length);
  let from = start;
  for (const { 0: escapes, index } of text.slice(start, end).matchAll(ESCAPES)) {
    plain(from, start + index);
    from = start + index + escapes.length;
    const piece = utf8(escapes);
    if (piece === undefined) take(escapes, start + index, (character) => character.length);
    else take(piece, start + index, (character) => 3 * Buffer.byteLength(character));
  }
  plain(from, end);
  return { text: result, outer: (at) => offsets[at] ?? end };
}

/** Decodes escapes. Undefined: the escaped bytes are not UTF-8. */
function utf8(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return undefined;
  }
}
