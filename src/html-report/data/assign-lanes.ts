import type { Item } from './report-data-types.ts';

/** From one position to another, both included. */
export interface Span {
  first: number;
  last: number;
}

/** More would be too thin to see: what comes after shares the last. */
const LANES_MAX = 12;

/**
 * For each span, in the order of their beginnings, the lowest lane that nothing else occupies meanwhile, from 0.
 * Beyond twelve at once the last lane is shared.
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

/** Gives the requests of a side their lanes, and says how many these are. What was never answered ends with its cancel, or never. */
export function assignLanes(items: readonly Item[], side: Item['from']): number {
  const requests: [first: number, item: Item][] = [];
  for (const [index, item] of items.entries())
    if (item.kind === 'request' && item.from === side) requests.push([index, item]);
  const end = items.length - 1;
  const lanes = streamLanes(requests.map(([first, { answer, cancel }]) => ({ first, last: answer ?? cancel ?? end })));
  for (const [position, [, item]] of requests.entries()) item.lane = lanes[position]!;
  return countOf(lanes);
}

/** How many lanes there are, among these. */
export function countOf(lanes: readonly number[]): number {
  return lanes.reduce((most, lane) => Math.max(most, lane + 1), 0);
}
