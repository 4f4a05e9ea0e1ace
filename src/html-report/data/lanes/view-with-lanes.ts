import type { Item, StreamSpan, View } from '../report-data-types.ts';
import { assignLanes, countOf, streamLanes } from './assign-lanes.ts';

/** View without its items and the data derived from items. */
export type ViewHead = Omit<View, 'lasted' | 'items' | 'lanes' | 'streams'>;

/** Returns the view of items, which get their lanes. */
export function viewOf(head: ViewHead, items: Item[]): View {
  const streams = streamsOf(items);
  return {
    ...head,
    lasted: (items.at(-1)?.at ?? 0) - (items[0]?.at ?? 0),
    items,
    lanes: {
      client: assignLanes(items, 'client'),
      server: assignLanes(items, 'server'),
      stream: countOf(streams.map(({ lane }) => lane)),
    },
    streams,
  };
}

function streamsOf(items: readonly Item[]): StreamSpan[] {
  const spans = new Map<number, { first: number; last: number }>();
  for (const [index, { stream }] of items.entries()) {
    if (stream === undefined) continue;
    const span = spans.get(stream);
    if (span) span.last = index;
    else spans.set(stream, { first: index, last: index });
  }
  const lanes = streamLanes([...spans.values()]);
  return [...spans].map(([stream, span], position) => ({ stream, lane: lanes[position]!, ...span }));
}
