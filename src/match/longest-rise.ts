import { firstWhere } from '../kernel/queue-and-binary-search.ts';

/** Returns the positions of a longest increasing subsequence, by patience sorting. Absent numbers are passed over. */
export function longestRise(numbers: readonly (number | undefined)[]): Set<number> {
  /** Position of the smallest end of a subsequence, by its length minus one. */
  const ends: number[] = [];
  const previous: (number | undefined)[] = [];
  for (const [position, number] of numbers.entries()) {
    if (number === undefined) continue;
    const length = firstWhere(ends.length, (shorter) => numbers[ends[shorter]!]! >= number);
    previous[position] = ends[length - 1];
    ends[length] = position;
  }
  const rise = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = previous[at]) rise.add(at);
  return rise;
}
