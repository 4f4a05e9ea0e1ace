import { ListMap } from '../cassette/correlate/list-map.ts';
import { differences } from '../match/json-difference.ts';
import type { SentMessage } from './session-interactions.ts';

/** Pairs of equal elements of two lists, and the elements of only one list. */
export interface Alignment<T> {
  pairs: [a: T, b: T][];
  onlyA: T[];
  onlyB: T[];
}

/** Maximum number of candidates of one subject that are compared in full. */
const COMPARED_MAX = 200;

/**
 * Aligns messages by content, not by time: the n-th of an identity with the n-th of the same identity, so that
 * overlapping calls may change their order. Remaining messages are paired with the most similar message of the same
 * subject (`tools/call "add"`). All others stay single.
 */
export function pairMessagesByIdentity<T extends SentMessage>(a: readonly T[], b: readonly T[]): Alignment<T> {
  const same = pairBy(a, b, ({ from, identity }) => `${from} ${identity.key}`, takeFirst);
  const alike = pairBy(same.onlyA, same.onlyB, ({ from, title }) => `${from} ${title}`, takeNearest);
  return { ...alike, pairs: [...same.pairs, ...alike.pairs] };
}

/** Removes and returns an element of `others`, which are in reverse order: removing the first element is cheap. */
type Take = <T extends SentMessage>(one: T, others: T[]) => T | undefined;

const takeFirst: Take = (_one, others) => others.pop();

const takeNearest: Take = (one, others) => {
  const start = Math.max(0, others.length - COMPARED_MAX);
  const counts = others.slice(start).map(({ identity }) => differences(one.identity.params, identity.params).length);
  const nearest = counts.lastIndexOf(Math.min(...counts));
  return others.splice(start + nearest, 1)[0];
};

function pairBy<T extends SentMessage>(
  a: readonly T[],
  b: readonly T[],
  keyOf: (one: T) => string,
  take: Take,
): Alignment<T> {
  const left = new ListMap<string, T>();
  for (const one of [...b].reverse()) left.add(keyOf(one), one);
  const alignment: Alignment<T> = { pairs: [], onlyA: [], onlyB: [] };
  for (const one of a) {
    const others = left.get(keyOf(one)) ?? [];
    const other = others.length > 0 ? take(one, others) : undefined;
    if (other === undefined) alignment.onlyA.push(one);
    else alignment.pairs.push([one, other]);
  }
  const rest = new Set([...left.values()].flat());
  for (const one of b) if (rest.has(one)) alignment.onlyB.push(one);
  return alignment;
}
