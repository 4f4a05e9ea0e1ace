import { ListMap } from '../../cassette/correlate/list-map.ts';
import { isAccepted } from '../../diff/pair-messages-by-identity.ts';
import type { SentMessage } from '../../diff/session-interactions.ts';

/** Messages of a cassette with the same messages of a new recording. */
export interface SameMessages<T> {
  pairs: (readonly [former: T, now: T])[];
  /** Number of new messages that an old one could be, where it is not clear which one. */
  unclear: ReadonlyMap<T, number>;
}

/**
 * Pairs each message of a cassette with the one of a new recording that is clearly the same: an equal message, or else one
 * that the rules beside the old message accept. Several such messages are paired in their order if there are as many in both.
 * @param rulesOf text that is equal for messages with equal rules
 */
export function pairSameMessages<T extends SentMessage>(
  former: readonly T[],
  now: readonly T[],
  rulesOf: (message: T) => string,
): SameMessages<T> {
  const keyOf = ({ from, identity }: T) => `${from} ${identity.key}`;
  const [olds, news] = [listsBy(former, keyOf), listsBy(now, keyOf)];
  const same: SameMessages<T>['pairs'] = [];
  const unclear = new Map<T, number>();
  const pair = (some: readonly T[], others: readonly T[], isForAll: boolean) => {
    if (some.length === others.length || isForAll) same.push(...inOrder(some, others));
    else for (const one of some) unclear.set(one, others.length);
  };
  const rest: T[] = [];
  for (const [key, some] of olds) {
    const equal = news.get(key);
    if (equal === undefined) rest.push(...some);
    // A rule that all equal messages have holds for each of them.
    else pair(some, equal, new Set(some.map(rulesOf)).size === 1);
  }
  const free = now.filter((one) => !olds.has(keyOf(one)));
  const groups = groupsByAccepted(rest, free);
  for (const { some, accepted } of groups) {
    const isShared = groups.some(
      (other) => other.some !== some && other.accepted.some((one) => accepted.includes(one)),
    );
    if (isShared) for (const one of some) unclear.set(one, accepted.length);
    else pair(some, accepted, false);
  }
  return { pairs: same, unclear };
}

/** Groups old messages whose rules accept the same new messages. Those whose rules accept none are left out. */
function groupsByAccepted<T extends SentMessage>(
  olds: readonly T[],
  news: readonly T[],
): { some: T[]; accepted: readonly T[] }[] {
  const candidates = listsBy([...news.entries()], ([, { from, identity }]) => `${from} ${identity.method}`);
  const groups = new Map<string, { some: T[]; accepted: readonly T[] }>();
  for (const one of olds) {
    if (one.match === undefined) continue;
    const alike = candidates.get(`${one.from} ${one.identity.method}`) ?? [];
    const accepted = alike.filter(([, other]) => isAccepted(one, other));
    if (accepted.length === 0) continue;
    const key = accepted.map(([index]) => index).join(' ');
    const group = groups.get(key) ?? { some: [], accepted: accepted.map(([, other]) => other) };
    group.some.push(one);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** Pairs two lists in order. Where one list is shorter, its last element stands for the missing ones. */
function inOrder<T>(some: readonly T[], others: readonly T[]): [T, T][] {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, index) => [
    some[Math.min(index, some.length - 1)]!,
    others[Math.min(index, others.length - 1)]!,
  ]);
}

function listsBy<T>(items: readonly T[], keyOf: (item: T) => string): ListMap<string, T> {
  const lists = new ListMap<string, T>();
  for (const item of items) lists.add(keyOf(item), item);
  return lists;
}
