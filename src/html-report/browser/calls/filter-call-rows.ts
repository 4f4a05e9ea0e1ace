import { ListMap } from '../../../cassette/correlate/list-map.ts';
import type { Change, Item, View } from '../../data/report-data-types.ts';
import type { TimeSpan } from '../address.ts';
import { count } from '../format.ts';
import { matches, type Query } from '../search-query.ts';

/** Filter of the list of calls. */
export interface CallFilter {
  query: Query;
  /** Hides calls that were not in flight in this time span. Absent: the filter ignores time. */
  span?: TimeSpan | undefined;
}

/**
 * Returns the positions of the requests that have a row, in row order: each client request, followed by the server
 * requests sent during it. A request has a row if the query matches the request itself, its response, progress or
 * cancellation. A comparison of two sessions lists the differing items first, requests or not.
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
  const nested = new ListMap<number, number>();
  for (const index of rows) {
    const { within } = items[index]!;
    if (within !== undefined) nested.add(within, index);
  }
  const isShown = new Set(rows);
  const parents = rows.filter((index) => !isShown.has(items[index]!.within ?? -1));
  return parents.flatMap((index) => [index, ...(nested.get(index) ?? [])]);
}

/**
 * Returns the difference that the row of a call shows: that of the request, or else of a response that both sessions
 * have. A response of one session only does not make the call one of this session.
 */
export function changeOfCall({ change }: Item, answer: Item | undefined): Change | undefined {
  return change ?? (answer?.change?.kind === 'changed' ? answer.change : undefined);
}

/**
 * Returns the positions of requests that differ, of those with a message that differs in both sessions, and of other
 * differing items.
 */
function changedCalls(items: readonly Item[]): Set<number> {
  const changed = new Set<number>();
  for (const [index, { change, callers, request }] of items.entries()) {
    if (callers || (change && (request === undefined || change.kind === 'changed'))) changed.add(request ?? index);
  }
  return changed;
}

/** Describes the number of rows: calls, of all that there are, and items that are no calls. */
export function countOfRows(items: readonly Item[], rows: readonly number[]): string {
  const calls = rows.filter((index) => items[index]!.kind === 'request').length;
  const all = items.filter(({ kind }) => kind === 'request').length;
  const others = rows.length - calls;
  const some = `${count(calls)} of ${count(all)} call${all === 1 ? '' : 's'}`;
  return others === 0 ? some : `${some} and ${count(others)} other event${others === 1 ? '' : 's'}`;
}

function isWithin(item: Item, items: readonly Item[], span: TimeSpan | undefined): boolean {
  return span === undefined || (item.at <= span.to && endOf(item, items) >= span.from);
}

/** Returns the time of the response or cancellation, in milliseconds. Infinity: the call has neither. */
export function endOf({ answer, cancel }: Item, items: readonly Item[]): number {
  return items[answer ?? cancel ?? -1]?.at ?? Number.POSITIVE_INFINITY;
}

/** Maps the position of each request to the positions of its progress notifications, in order. */
export function progressOf(items: readonly Item[]): Map<number, number[]> {
  const progress = new ListMap<number, number>();
  for (const [index, { request, kind, what }] of items.entries()) {
    if (request !== undefined && kind === 'notification' && what === 'progress') progress.add(request, index);
  }
  return progress;
}

/** Returns about `count` round times for the labels of a time axis. */
export function axisTicks({ from, to }: TimeSpan, count: number): number[] {
  const rough = (to - from) / count;
  if (!(rough > 0)) return [from];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((one) => one * power >= rough)! * power;
  const first = Math.ceil(from / step);
  const last = Math.floor(to / step);
  return Array.from({ length: last - first + 1 }, (_, place) => (first + place) * step);
}
