import { firstWhere } from '../../kernel/queue-and-binary-search.ts';
import type { TextEdit } from '../replace/text-edit.ts';

/** Decoded text of an encoded part of another text. */
export interface DecodedText {
  text: string;
  /** Returns the offset in the outer text of an offset in this text, end included. */
  outer(at: number): number;
}

/** Maps edits of a decoded text to the text around it. `encode` encodes the replacements. */
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

/**
 * Replaces some parts of `text`, with a map of offsets. The parts are in order, do not overlap, and have non-empty
 * replacements.
 */
export function withReplacements(text: string, stretches: readonly TextEdit[]): DecodedText {
  /** Offset of each replacement in the decoded text. */
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
      const i = firstWhere(begins.length, (n) => begins[n]! > at) - 1;
      const stretch = stretches[i];
      if (stretch === undefined) return at;
      const after = at - begins[i]! - stretch.text.length;
      return after < 0 ? stretch.start : stretch.end + after;
    },
  };
}
