import { streamKey } from '../../data/lanes/view-with-lanes.ts';
import type { View } from '../../data/report-data-types.ts';
import { type Layout, ROW_HEIGHT } from './row-positions.ts';

/** Bar beside the rows: a call in flight, or an HTTP exchange. Positions are pixels. */
export interface Bar {
  key: string;
  top: number;
  bottom: number;
  lane: number;
  class: string;
  title: string;
  label?: string;
}

/** Number of colours that distinguish HTTP exchanges. */
export const HUES = 6;
/** Overhang of an exchange's bar above its first row's centre and below its last row's centre, in pixels. */
const STREAM_END_PX = 6;

/** Layout with its visible part. */
export interface SeenLayout extends Layout {
  /** Visible part in pixels. Absent: the whole layout. */
  sight?: { top: number; bottom: number };
}

/** Returns the visible bars: calls from request to response or cancellation, exchanges from first to last row. */
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
  const ends = new Map<string, [first: number, last: number]>();
  for (const index of shown) {
    const { stream, origin } = items[index]!;
    if (stream === undefined) continue;
    const key = streamKey({ stream, session: origin?.session });
    ends.set(key, [ends.get(key)?.[0] ?? index, index]);
  }
  const exchanges = streams.flatMap(({ stream, session, lane }): Bar[] => {
    const key = streamKey({ stream, session });
    const [first, last] = ends.get(key) ?? [];
    if (first === undefined || last === undefined) return [];
    const [top, bottom] = [middle(first) - STREAM_END_PX, middle(last) + STREAM_END_PX];
    if (!isSeen(top, bottom)) return [];
    const title = `stream ${stream}`;
    return [
      { key: `stream ${key}`, top, bottom, lane, class: `stream hue-${stream % HUES}`, title, label: String(stream) },
    ];
  });
  return [...calls, ...exchanges];
}
