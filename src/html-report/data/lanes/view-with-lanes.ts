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
  const spans = new Map<string, Omit<StreamSpan, 'lane'>>();
  for (const [index, { stream, origin }] of items.entries()) {
    if (stream === undefined) continue;
    const key = streamKey({ stream, session: origin?.session });
    const span = spans.get(key);
    if (span) span.last = index;
    else spans.set(key, { stream, ...(origin && { session: origin.session }), first: index, last: index });
  }
  const lanes = streamLanes([...spans.values()]);
  return [...spans.values()].map((span, position) => ({ ...span, lane: lanes[position]! }));
}

/** Returns a key of an HTTP exchange that is unique on a page. */
export function streamKey({ stream, session }: { stream: number; session?: number | undefined }): string {
  return session === undefined ? `${stream}` : `${session}/${stream}`;
}
