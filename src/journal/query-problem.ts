import { didYouMean } from '../kernel/did-you-mean.ts';
import { paramsMembers } from '../protocol/allowed-params-members.ts';
import { isNotificationMethod, unknownMethod } from '../protocol/method-problem.ts';
import { type JournalEntry, methodOf } from './journal-entry.ts';
import { isExpectedObject, neverMatches, textOf } from './partial-match.ts';

/** Query of a journal: messages of one method, optionally with certain params. */
export interface JournalQuery {
  kind: JournalEntry['kind'];
  method: unknown;
  /** Absent: any params. */
  params?: unknown;
  entries: readonly JournalEntry[];
}

/** Reason why a query can never match any message, and advice. */
export interface QueryProblem {
  why: string;
  next: string;
}

/**
 * Returns the problem of a query that can never match. Undefined: the query can match. A test that expects no match
 * would always pass with such a query. Methods and params of received entries are valid, even if MCP does not define
 * them.
 */
export function queryProblem({ kind, method, params, entries }: JournalQuery): QueryProblem | undefined {
  if (typeof method !== 'string' || method === '')
    return { why: `the method is ${textOf(method)}`, next: "Give a method of MCP, e.g. 'tools/call'." };
  const isNotification = isNotificationMethod(method);
  if (isNotification !== (kind === 'notification'))
    return {
      why: isNotification ? 'it is the method of a notification' : 'it is the method of a request',
      next: isNotification ? 'Look among the notifications.' : 'Look among the requests.',
    };
  const sent = entries.filter((entry) => methodOf(entry) === method);
  return (sent.length === 0 ? unknownMethod(method) : undefined) ?? paramsProblem(method, params, sent);
}

function paramsProblem(method: string, params: unknown, sent: readonly JournalEntry[]): QueryProblem | undefined {
  if (params === undefined) return undefined;
  if (!isExpectedObject(params))
    return { why: `its params are ${textOf(params)}`, next: 'Give an object that the params hold at least.' };
  if (typeof params.asymmetricMatch === 'function') return undefined;
  if ('jsonrpc' in params || 'params' in params)
    return { why: 'it was given a whole message', next: "Give the params alone, e.g. { name: 'add' }." };
  const never = neverMatches(params);
  if (never !== undefined)
    return {
      why: `${never} is no value of JSON`,
      next: 'Give a value, a regular expression or an asymmetric matcher.',
    };
  const members = paramsMembers(method);
  const other = Object.keys(params).find(
    (name) =>
      params[name] !== undefined && members?.includes(name) === false && !sent.some((entry) => has(entry, name)),
  );
  if (members === undefined || other === undefined) return undefined;
  const meant = didYouMean(other, members, 2);
  const there = members.length === 1 ? 'It has none but _meta.' : `There are ${members.join(', ')}.`;
  return {
    why: `its params have no member ${other}`,
    next: meant === undefined ? there : `Did you mean ${meant}?`,
  };
}

function has(entry: JournalEntry, name: string): boolean {
  return entry.params !== undefined && Object.hasOwn(entry.params, name);
}
