import type { Item } from '../report-data-types.ts';

/** Range of positions, both ends included. */
export interface Span {
  first: number;
  last: number;
}

/** Maximum number of lanes. More would be too thin to see, so further spans share the last lane. */
const LANES_MAX = 12;

/**
 * Returns the lowest free lane for each span, from 0. Spans are sorted by first position. When all lanes are busy,
 * spans share the last one.
 */
export function streamLanes(spans: readonly Span[]): number[] {
  const busyUntil: number[] = [];
  return spans.map(({ first, last }) => {
    const free = busyUntil.findIndex((until) => until < first);
    const lane = free >= 0 ? free : Math.min(busyUntil.length, LANES_MAX - 1);
    busyUntil[lane] = Math.max(last, free >= 0 ? 0 : (busyUntil[lane] ?? 0));
    return lane;
  });
}

/**
 * Assigns lanes to the requests of one side, and returns the number of lanes. A request occupies its lane until its
 * response or cancellation, else until the end of the session.
 */
export function assignLanes(items: readonly Item[], side: Item['from']): number {
  const requests: [first: number, item: Item][] = [];
  for (const [index, item] of items.entries())
    if (item.kind === 'request' && item.from === side) requests.push([index, item]);
  const end = items.length - 1;
  const lanes = streamLanes(requests.map(([first, { answer, cancel }]) => ({ first, last: answer ?? cancel ?? end })));
  for (const [position, [, item]] of requests.entries()) item.lane = lanes[position]!;
  return countOf(lanes);
}

/** Returns the number of lanes used. */
export function countOf(lanes: readonly number[]): number {
  return lanes.reduce((most, lane) => Math.max(most, lane + 1), 0);
}
