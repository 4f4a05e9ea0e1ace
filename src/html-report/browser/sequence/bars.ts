import type { View } from '../../data/report-data-types.ts';
import { type Layout, ROW_HEIGHT } from './layout.ts';

/** A bar beside the rows: a call in flight, or an HTTP exchange. Pixels. */
export interface Bar {
  key: string;
  top: number;
  bottom: number;
  lane: number;
  class: string;
  title: string;
  label?: string;
}

/** So many colours tell exchanges apart. */
export const HUES = 6;
/** What an exchange takes above the middle of its first row and below that of its last. */
const STREAM_END_PX = 6;

/** A layout, of which a part is in sight. */
export interface SeenLayout extends Layout {
  /** Pixels. Absent: all of it. */
  sight?: { top: number; bottom: number };
}

/**
 * Returns the bars in sight of what has a row: a call from its request to its answer, an exchange from its first row to its
 * last.
 */
export function barsOf({ items, streams }: View, { shown, tops, height, sight }: SeenLayout): Bar[] {
  const middle = (index: number) => tops[index]! + ROW_HEIGHT / 2;
  const isSeen = (top: number, bottom: number) => sight === undefined || (bottom > sight.top && top < sight.bottom);
  const calls: Bar[] = [];
  for (const [first, { kind, lane, from, fate = 'pending', answer, cancel, what }] of items.entries()) {
    if (kind !== 'request' || lane === undefined) continue;
    const last = answer ?? cancel;
    const [top, bottom] = [middle(first), last === undefined ? height : middle(last)];
    if (bottom <= top || !isSeen(top, bottom)) continue;
    calls.push({ key: `call ${first}`, top, bottom, lane, class: `call of-${from} is-${fate}`, title: what });
  }
  const ends = new Map<number, [first: number, last: number]>();
  for (const index of shown) {
    const { stream } = items[index]!;
    if (stream !== undefined) ends.set(stream, [ends.get(stream)?.[0] ?? index, index]);
  }
  const exchanges = streams.flatMap(({ stream, lane }): Bar[] => {
    const [first, last] = ends.get(stream) ?? [];
    if (first === undefined || last === undefined) return [];
    const [top, bottom] = [middle(first) - STREAM_END_PX, middle(last) + STREAM_END_PX];
    if (!isSeen(top, bottom)) return [];
    const title = `stream ${stream}`;
    return [{ key: title, top, bottom, lane, class: `stream hue-${stream % HUES}`, title, label: String(stream) }];
  });
  return [...calls, ...exchanges];
}
