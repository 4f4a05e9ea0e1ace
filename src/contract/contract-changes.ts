import { type Change, SEVERITIES } from '../match/contract-change-types.ts';
import { type UnsafeText, unsafeTexts } from '../protocol/deceptive-text.ts';
import { isObject, isRequest } from '../protocol/message.ts';
import { LISTS, type Listed } from '../protocol/method-table.ts';
import { listChanges, nameOf } from './compare-item-lists.ts';
import { newlyInvalid } from './newly-invalid-definitions.ts';
import { serverInfoChanges } from './server-info-change.ts';
import { skillChanges } from './skill-and-app-changes.ts';

/**
 * Returns the changes for callers between two answers to `request`, the worst first. A server's promises (its introduction, its lists)
 * are judged by their effect on callers. For other answers, every difference counts the same, and the list is empty.
 */
export function contractChanges(request: unknown, recorded: unknown, live: unknown): Change[] {
  const [before, after] = [resultOf(recorded), resultOf(live)];
  if (before === undefined || after === undefined || !isRequest(request)) return [];
  const { method } = request;
  const changes = promisedChanges(method, before, after);
  if (changes === undefined) return [];
  return worstFirst([
    ...newlyInvalid(request, before, after),
    ...changes,
    ...newlyUnsafe(before, after, LISTS.get(method)),
  ]);
}

/** Returns the changes of a server's promises. Undefined: `method` returns no promise. */
function promisedChanges(method: string, before: unknown, after: unknown): Change[] | undefined {
  if (method === 'initialize' || method === 'server/discover') return serverInfoChanges(before, after);
  if (method === 'skills/get')
    return skillChanges(memberOf(before, 'skill'), memberOf(after, 'skill'), '/result/skill');
  const list = LISTS.get(method);
  return list && listChanges(list, before, after);
}

/**
 * Returns new texts that a model may read differently from a person, such as hidden characters. Texts of the old result
 * are left out.
 */
function newlyUnsafe(before: unknown, after: unknown, list: Listed | undefined): Change[] {
  const known = new Set(unsafeOf(before, list).map(({ place, why }) => `${place} ${why}`));
  return unsafeOf(after, list)
    .filter(({ place, why }) => !known.has(`${place} ${why}`))
    .map(({ place, path, why }) => ({ severity: 'suspicious', path, reason: `${place} now ${why}` }));
}

/**
 * Returns the unsafe texts of a result, each with its place in words. In a list, the item's name replaces its index.
 */
function unsafeOf(result: unknown, list: Listed | undefined): (UnsafeText & { place: string })[] {
  const items = memberOf(result, list?.field ?? '');
  return unsafeTexts(result, '/result').map((text) => {
    const [, , field, index, ...rest] = text.path.split('/');
    const item: unknown = list && field === list.field && Array.isArray(items) ? items[Number(index)] : undefined;
    const place =
      list && isObject(item) ? `${list.noun} "${nameOf(item)}": ${rest.join('.')}` : text.path.slice('/result/'.length);
    return { ...text, place };
  });
}

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) ? value[name] : undefined;
}

function resultOf(message: unknown): unknown {
  return isObject(message) ? message.result : undefined;
}

/**
 * Returns the most severe change in words, with the other changes counted by severity. Two breaking changes are both in
 * words: one alone may be half of a rename. `changes` must not be empty.
 * `areAll`: whether they explain the whole difference. If not, a harmless change is not the reason of a failure.
 */
export function worstOf(changes: readonly Change[], areAll = true): string {
  const sorted = worstFirst(changes);
  const [worst, second] = sorted;
  const named = second?.severity === 'breaking' ? [worst!, second] : [worst!];
  const others = sorted.slice(named.length);
  const counts = SEVERITIES.map((severity) => ({
    severity,
    n: others.filter((one) => one.severity === severity).length,
  }));
  const more = counts.filter(({ n }) => n > 0).map(({ severity, n }) => `${n} more ${severity}`);
  const isHarmless = worst!.severity === 'compatible' || worst!.severity === 'cosmetic';
  const rest = isHarmless && !areAll ? '; another difference has no severity' : '';
  const reasons = [worst!.reason, ...named.slice(1).map(({ reason }) => withoutSharedPlace(reason, worst!.reason))];
  return `${worst!.severity}: ${reasons.join(', ')}${more.length > 0 ? ` (and ${more.join(', ')})` : ''}${rest}`;
}

/** Returns a reason without the places that it shares with the reason before it: `tool "add": `. */
function withoutSharedPlace(reason: string, before: string): string {
  const parts = reason.split(PLACE_END);
  const others = before.split(PLACE_END);
  const shared = parts.slice(0, -1).findIndex((part, n) => part !== others[n]);
  return parts.slice(shared === -1 ? parts.length - 1 : shared).join('');
}

/** End of the place in a reason. */
const PLACE_END = /(?<=": )/;

function worstFirst(changes: readonly Change[]): Change[] {
  return [...changes].sort((a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity));
}
