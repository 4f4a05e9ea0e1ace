import { longestRise } from '../match/longest-rise.ts';
import type { Interaction } from './session-interactions.ts';

/**
 * Pair of interactions in a different order: `other` ended before the interaction in one session, and begins after it
 * in the other session, or vice versa.
 */
export interface Moved {
  pair: [a: Interaction, b: Interaction];
  other: Interaction;
  /** New position relative to `other`. */
  now: 'before' | 'after';
}

/** Maximum number of examined pairs. They suffice to show that the order is entirely different. */
const MOVED_MAX = 1_000;

/**
 * Returns the smallest set of interactions whose moves would give both sessions the same order. Overlapping
 * interactions have no order.
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
