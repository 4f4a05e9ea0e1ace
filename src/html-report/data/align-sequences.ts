import { ListMap } from '../../cassette/correlate/list-map.ts';
import { longestRise } from '../../match/longest-rise.ts';

/**
 * Pair of aligned elements: positions in the first and in the second sequence. Absent: this sequence has no
 * counterpart.
 */
export interface Pair {
  before?: number;
  after?: number;
  /** The element has a different place in the order of the two sequences. */
  moved?: true;
}

/**
 * Aligns two sequences in the order of the second. Elements match if they share a key, in order of occurrence. Keys are
 * lists from exact to rough; a pair by an exact key is final. Elements of only the first sequence follow their
 * predecessor.
 */
export function alignSequences(before: readonly (readonly string[])[], after: readonly (readonly string[])[]): Pair[] {
  const partner = partners(before, after);
  const inOrder = longestRise(before.map((_, index) => partner.get(index)));
  const beforeOf = new Map([...partner].map(([a, b]) => [b, a]));
  const pairs: Pair[] = [];
  let taken = 0;
  const takeRemoved = (until: number) => {
    for (; taken < until; taken++) if (!partner.has(taken)) pairs.push({ before: taken });
  };
  for (const index of after.keys()) {
    const other = beforeOf.get(index);
    if (other !== undefined && inOrder.has(other)) takeRemoved(other);
    if (other === undefined) pairs.push({ after: index });
    else pairs.push({ before: other, after: index, ...(!inOrder.has(other) && { moved: true as const }) });
  }
  takeRemoved(before.length);
  return pairs;
}

function partners(before: readonly (readonly string[])[], after: readonly (readonly string[])[]): Map<number, number> {
  const partner = new Map<number, number>();
  const used = new Set<number>();
  const levels = Math.max(0, ...[before[0]?.length ?? 0, after[0]?.length ?? 0]);
  for (let level = 0; level < levels; level++) {
    const waiting = new ListMap<string, number>();
    for (const [index, keys] of after.entries()) {
      if (!used.has(index)) waiting.add(keys[level]!, index);
    }
    for (const queue of waiting.values()) queue.reverse();
    for (const [index, keys] of before.entries()) {
      const match = partner.has(index) ? undefined : waiting.get(keys[level]!)?.pop();
      if (match === undefined) continue;
      partner.set(index, match);
      used.add(match);
    }
  }
  return partner;
}
