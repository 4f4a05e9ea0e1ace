import type { Change, Severity } from '../match/change-severity.ts';
import { isObject, isRequest } from '../protocol/message.ts';
import { LISTS, listChanges } from './list-change.ts';
import { serverInfoChanges } from './server-info-change.ts';

/**
 * What changed for callers between two answers to `request`. What a server promises (its introduction, its lists) is judged
 * by what callers rely on; of other answers every difference counts the same, and there are no changes to name.
 */
export function contractChanges(request: unknown, recorded: unknown, live: unknown): Change[] {
  const [before, after] = [resultOf(recorded), resultOf(live)];
  if (before === undefined || after === undefined || !isRequest(request)) return [];
  const { method } = request;
  if (method === 'initialize' || method === 'server/discover') return serverInfoChanges(before, after);
  const list = LISTS.get(method);
  return list ? listChanges(list, before, after) : [];
}

function resultOf(message: unknown): unknown {
  return isObject(message) ? message.result : undefined;
}

const RANK: readonly Severity[] = ['breaking', 'compatible', 'cosmetic'];

/** Returns the most severe change in words, with the number of further ones. `changes` is not empty. */
export function worstOf(changes: readonly Change[]): string {
  const [worst] = [...changes].sort((a, b) => RANK.indexOf(a.severity) - RANK.indexOf(b.severity));
  const more = changes.length > 1 ? ` (and ${changes.length - 1} more)` : '';
  return `${worst!.severity}: ${worst!.reason}${more}`;
}
