import { didYouMean } from '../kernel/did-you-mean.ts';
import { METHODS_WITH_KNOWN_PARAMS } from './allowed-params-members.ts';
import { METHOD_NAMES } from './method-table.ts';

export type MethodKind = 'request' | 'notification';

/** What is wrong with a method that somebody wrote: a clause, and what to do. */
export interface MethodProblem {
  why: string;
  next: string;
}

/** The beginning of the methods of notifications. */
const NOTIFICATION = 'notifications/';

const KNOWN: readonly string[] = [...new Set([...METHOD_NAMES, ...METHODS_WITH_KNOWN_PARAMS])];

/** How many letters of a method may be wrong. With two, methods of extensions would be taken for others. */
const TYPOS_MAX = 1;

const ADVICE: Readonly<Record<MethodKind, string>> = {
  request: "Name the method of a request, e.g. 'tools/call'.",
  notification: "Name the method of a notification, e.g. 'notifications/message'.",
};

export function isNotificationMethod(method: string): boolean {
  return method.startsWith(NOTIFICATION);
}

/**
 * Returns why neither MCP nor an extension can have a method; undefined if one may. A method of an extension has a slash, and is not almost the same as a
 * method of MCP.
 */
export function unknownMethod(method: string): MethodProblem | undefined {
  if (KNOWN.includes(method)) return undefined;
  const meant = didYouMean(method, KNOWN, TYPOS_MAX);
  if (meant === undefined && method.includes('/')) return undefined;
  const next =
    meant === undefined
      ? "Give a method of MCP, or one of an extension, which has a slash: 'acme/search'."
      : `Did you mean ${JSON.stringify(meant)}?`;
  return { why: 'MCP has no such method', next };
}

/** Returns why no message of this kind has such a method; undefined if one may. */
export function methodProblem(method: unknown, kind: MethodKind): MethodProblem | undefined {
  if (typeof method !== 'string' || method === '')
    return { why: `the method is ${JSON.stringify(method) ?? String(method)}`, next: ADVICE[kind] };
  const unknown = unknownMethod(method);
  if (unknown) return unknown;
  if (isNotificationMethod(method) === (kind === 'notification')) return undefined;
  const other = kind === 'notification' ? 'request' : 'notification';
  return { why: `it is the method of a ${other}`, next: ADVICE[kind] };
}
