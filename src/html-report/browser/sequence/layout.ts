import type { Item } from '../../data/report-data-types.ts';

/** Pixels. The style sheet has the same. */
export const ROW_HEIGHT = 30;

/** Where everything stands. */
export interface Layout {
  /** Indexes of items with a row, in order. */
  shown: number[];
  /** For each item where its row begins, in pixels; without a row, where the next one does. */
  tops: number[];
  height: number;
}

export interface LayoutOptions {
  items: readonly Item[];
  /** Positions of the items that shall have a row, in order. */
  shown: number[];
  /** Real time: how far a millisecond sets two rows apart, beyond their height. 0: even spacing. */
  pixelsPerMs: number;
}

/** Rows below each other: evenly, or as far apart as they were in time, and never closer than a row is high. */
export function layoutOf({ items, shown, pixelsPerMs }: LayoutOptions): Layout {
  const tops: number[] = new Array(items.length).fill(0);
  let top = 0;
  let at: number | undefined;
  let next = 0;
  for (const index of shown) {
    const item = items[index]!;
    top += Math.max(0, item.at - (at ?? item.at)) * pixelsPerMs;
    at = item.at;
    while (next <= index) tops[next++] = top;
    top += ROW_HEIGHT;
  }
  while (next < items.length) tops[next++] = top;
  return { shown, tops, height: top };
}
