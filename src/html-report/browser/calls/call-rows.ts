import type { Item, View } from '../../data/report-data-types.ts';
import type { TimeSpan } from '../address.ts';
import { matches, type Query } from '../search-query.ts';

/** What of a session is asked for. */
export interface CallFilter {
  query: Query;
  /** Calls that were not in flight then have no row. Absent: all have one. */
  span?: TimeSpan | undefined;
}

/**
 * Returns positions of the requests that have a row, in order: a call, then the server's requests that came up in it. A call
 * has a row if anything that belongs to it is what was searched for. Of two sessions what differs comes first, calls or not.
 */
export function callRows({ items, kind }: View, { query, span }: CallFilter): number[] {
  const isDifferences = kind === 'differences';
  const wanted = new Set<number>();
  for (const [index, item] of items.entries()) {
    const row = item.kind === 'request' ? index : (item.request ?? (isDifferences && item.change ? index : undefined));
    if (row !== undefined && matches(item, query)) wanted.add(row);
  }
  const rows = [...items.keys()].filter((index) => wanted.has(index) && isWithin(items[index]!, items, span));
  if (isDifferences) {
    const differing = changedCalls(items);
    return [...rows.filter((index) => differing.has(index)), ...rows.filter((index) => !differing.has(index))];
  }
  const nested = new Map<number, number[]>();
  for (const index of rows) {
    const { within } = items[index]!;
    if (within !== undefined) nested.set(within, [...(nested.get(within) ?? []), index]);
  }
  const isShown = new Set(rows);
  const parents = rows.filter((index) => !isShown.has(items[index]!.within ?? -1));
  return parents.flatMap((index) => [index, ...(nested.get(index) ?? [])]);
}

/** Calls in which anything differs, and other items that do. */
function changedCalls(items: readonly Item[]): Set<number> {
  const changed = new Set<number>();
  for (const [index, { change, callers, request }] of items.entries()) {
    if (change || callers) changed.add(request ?? index);
  }
  return changed;
}

function isWithin(item: Item, items: readonly Item[], span: TimeSpan | undefined): boolean {
  return span === undefined || (item.at <= span.to && endOf(item, items) >= span.from);
}

/** When a call was over, in milliseconds. Infinite: it never was. */
export function endOf({ answer, cancel }: Item, items: readonly Item[]): number {
  return items[answer ?? cancel ?? -1]?.at ?? Number.POSITIVE_INFINITY;
}

/** Positions of the progress of each call, in order. */
export function progressOf(items: readonly Item[]): Map<number, number[]> {
  const progress = new Map<number, number[]>();
  for (const [index, { request, kind, what }] of items.entries()) {
    if (request === undefined || kind !== 'notification' || what !== 'progress') continue;
    const others = progress.get(request);
    if (others) others.push(index);
    else progress.set(request, [index]);
  }
  return progress;
}

/** Round times for an axis, some `count` of them. */
export function axisTicks({ from, to }: TimeSpan, count: number): number[] {
  const rough = (to - from) / count;
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough)! * power;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}
