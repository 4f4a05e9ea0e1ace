import { ListMap } from '../cassette/correlate/list-map.ts';
import { canonicalJson } from '../match/canonical-json.ts';
import { type Ignore, without } from '../match/ignore-rules.ts';
import { differences } from '../match/json-difference.ts';
import { isObject } from '../protocol/message.ts';
import { identityParams } from '../protocol/method-table.ts';
import type { SentMessage } from './session-interactions.ts';
import { requestRules } from './without-ruled-out-values.ts';

/** Pairs of equal elements of two lists, and the elements of only one list. */
export interface Alignment<T> {
  pairs: [a: T, b: T][];
  onlyA: T[];
  onlyB: T[];
}

/** Maximum number of candidates of one subject that are compared in full. */
const COMPARED_MAX = 200;

/**
 * Aligns messages by content, not by time: the n-th message of an identity is paired with the n-th message of the same
 * identity, so that overlapping calls may change their order. A message with rules of `match` is paired with a message
 * accepted by these rules. Remaining messages are paired with the most similar message of the same subject (`tools/call
 * "add"`). All others stay single.
 */
export function pairMessagesByIdentity<T extends SentMessage>(a: readonly T[], b: readonly T[]): Alignment<T> {
  const same = pairBy(requiredFirst(a), b, ({ from, identity }) => `${from} ${identity.key}`, takeFirst);
  const ruled = pairBy(same.onlyA, same.onlyB, ({ from, identity }) => `${from} ${identity.method}`, takeAccepted);
  const alike = pairBy(ruled.onlyA, ruled.onlyB, ({ from, title }) => `${from} ${title}`, takeNearest);
  return { ...alike, pairs: [...same.pairs, ...ruled.pairs, ...alike.pairs] };
}

/** Sorts messages by matching priority: like a mock server, takes required messages before optional ones. */
function requiredFirst<T extends SentMessage>(messages: readonly T[]): T[] {
  const isOptional = ({ match }: T) => match?.optional === true;
  return [...messages.filter((one) => !isOptional(one)), ...messages.filter(isOptional)];
}

/**
 * Removes and returns an element of `others`. The elements are in reverse order, because removing the last one is
 * cheap.
 */
type Take = <T extends SentMessage>(one: T, others: T[]) => T | undefined;

const takeFirst: Take = (_one, others) => others.pop();

const takeAccepted: Take = (one, others) => {
  if (one.match === undefined) return undefined;
  const start = Math.max(0, others.length - COMPARED_MAX);
  const at = others.findLastIndex((other, index) => index >= start && isAccepted(one, other));
  return at < 0 ? undefined : others.splice(at, 1)[0];
};

/** Reports whether two messages are equal, apart from the parts that rules beside the first one ignore. */
export function isAccepted(one: SentMessage, other: SentMessage): boolean {
  const rules = requestRules(one, other);
  return rules.length > 0 && keyWithout(one, rules) === keyWithout(other, rules);
}

function keyWithout({ identity: { method, params } }: SentMessage, rules: readonly Ignore[]): string {
  const left = without({ params }, rules);
  return canonicalJson(identityParams(method, isObject(left) ? left.params : undefined));
}

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
