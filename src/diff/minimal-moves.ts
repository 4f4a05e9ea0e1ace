import type { Interaction } from './session-interactions.ts';

/** A pair of talks that one session has the other way round: `other` ended before it began, and now begins after it ended. */
export interface Moved {
  pair: [a: Interaction, b: Interaction];
  other: Interaction;
  /** Where it is now, seen from the other. */
  now: 'before' | 'after';
}

/** Maximum number of pairs examined. The beginning shows that an order is entirely different. */
const MOVED_MAX = 1_000;

/**
 * Returns the smallest set of interactions whose moves give both sessions one order. Overlapping interactions have no
 * order.
 */
export function minimalMoves(pairs: readonly (readonly [a: Interaction, b: Interaction])[]): Moved[] {
  const inOrder = [...pairs].sort(([a], [b]) => a.began - b.began);
  const kept = longestRise(inOrder.map(([, b]) => b.began));
  return inOrder
    .filter((_, index) => !kept.has(index))
    .slice(0, MOVED_MAX)
    .flatMap(([a, b]): Moved[] => {
      for (const [otherA, otherB] of inOrder) {
        if (otherA.ended < a.began && b.ended < otherB.began) {
          return [{ pair: [a, b], other: otherB, now: 'before' }];
        }
        if (a.ended < otherA.began && otherB.ended < b.began) {
          return [{ pair: [a, b], other: otherB, now: 'after' }];
        }
      }
      return [];
    });
}

/** Positions of a longest part of `values` that only rises. */
function longestRise(values: readonly number[]): Set<number> {
  /** By length less one: the position of the smallest value that ends a rise of that length. */
  const ends: number[] = [];
  const before = new Map<number, number | undefined>();
  for (const [position, value] of values.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[ends[middle]!]! < value) low = middle + 1;
      else high = middle;
    }
    before.set(position, ends[low - 1]);
    ends[low] = position;
  }
  const rise = new Set<number>();
  for (let at = ends.at(-1); at !== undefined; at = before.get(at)) rise.add(at);
  return rise;
}
