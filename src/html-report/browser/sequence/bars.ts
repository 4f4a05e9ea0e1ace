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

/** Returns the bars of what has a row: a call from its request to its answer, an exchange from its first row to its last. */
export function barsOf({ items, streams }: View, { shown, tops, height }: Layout): Bar[] {
  const middle = (index: number) => tops[index]! + ROW_HEIGHT / 2;
  const calls = items.flatMap(({ kind, lane, from, fate = 'pending', answer, cancel, what }, first): Bar[] => {
    if (kind !== 'request' || lane === undefined) return [];
    const last = answer ?? cancel;
    const [top, bottom] = [middle(first), last === undefined ? height : middle(last)];
    if (bottom <= top) return [];
    return [{ key: `call ${first}`, top, bottom, lane, class: `call of-${from} is-${fate}`, title: what }];
  });
  const ends = new Map<number, [first: number, last: number]>();
  for (const index of shown) {
    const { stream } = items[index]!;
    if (stream !== undefined) ends.set(stream, [ends.get(stream)?.[0] ?? index, index]);
  }
  const exchanges = streams.flatMap(({ stream, lane }): Bar[] => {
    const [first, last] = ends.get(stream) ?? [];
    if (first === undefined || last === undefined) return [];
    return [
      {
        key: `stream ${stream}`,
        top: middle(first) - STREAM_END_PX,
        bottom: middle(last) + STREAM_END_PX,
        lane,
        class: `stream hue-${stream % HUES}`,
        title: `stream ${stream}`,
        label: String(stream),
      },
    ];
  });
  return [...calls, ...exchanges];
}
