import type { TextEdit } from '../replace/text-edit.ts';

/** A text that was written inside another one in some encoding. */
export interface DecodedText {
  /** Decoded. */
  text: string;
  /** Returns the offset in the outer text of an offset in this text, end included. */
  outer(at: number): number;
}

/** Edits of a layer's text as edits of the text around it; `encode` writes what replaces. */
export function mapEdits(
  layer: DecodedText,
  edits: readonly TextEdit[],
  encode: (text: string) => string = (text) => text,
): TextEdit[] {
  return edits.map(({ start, end, text }) => ({
    start: layer.outer(start),
    end: layer.outer(end),
    text: encode(text),
  }));
}

/** `text` in which some stretches, in order and apart, are read as something else, and none as nothing. */
export function withReplacements(text: string, stretches: readonly TextEdit[]): DecodedText {
  /** Where each begins in what is read. */
  const begins: number[] = [];
  let read = '';
  let from = 0;
  for (const { start, end, text: instead } of stretches) {
    read += text.slice(from, start);
    begins.push(read.length);
    read += instead;
    from = end;
  }
  return {
    text: read + text.slice(from),
    outer: (at) => {
      const i = lastUpTo(begins, at);
      const stretch = stretches[i];
      if (stretch === undefined) return at;
      const after = at - begins[i]! - stretch.text.length;
      return after < 0 ? stretch.start : stretch.end + after;
    },
  };
}

/** Returns the index of the last number that is at most `limit` in an ascending list, or -1. */
function lastUpTo(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
