import type { Edit } from './edit.ts';

/** A text that was written inside another one in some encoding. */
export interface Layer {
  /** Decoded. */
  text: string;
  /** The offset in the text around of each offset in this one, its end included. */
  outer(at: number): number;
}

/** Edits of a layer's text as edits of the text around it; `encode` writes what replaces. */
export function lifted(
  layer: Layer,
  edits: readonly Edit[],
  encode: (text: string) => string = (text) => text,
): Edit[] {
  return edits.map(({ start, end, text }) => ({
    start: layer.outer(start),
    end: layer.outer(end),
    text: encode(text),
  }));
}
