import type { Item } from '../../data/report-data-types.ts';

/** Height of a row in pixels. The style sheet uses the same height. */
export const ROW_HEIGHT = 30;

/** Vertical positions of the rows, in pixels. */
export interface Layout {
  /** Positions of the items with a row, in order. */
  shown: number[];
  /** Top of each item's row. An item without a row has the top of the next row. */
  tops: number[];
  height: number;
}

export interface LayoutOptions {
  items: readonly Item[];
  /** Positions of the items with a row, in order. */
  shown: number[];
  /** Real time: extra distance between two rows per millisecond between their items. 0: even spacing. */
  pixelsPerMs: number;
}

/** Stacks the rows, spaced evenly or by time. Rows never overlap. */
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
