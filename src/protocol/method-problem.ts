import { didYouMean } from '../kernel/did-you-mean.ts';
import { METHODS_WITH_KNOWN_PARAMS } from './allowed-params-members.ts';
import { METHOD_NAMES } from './method-table.ts';

export type MethodKind = 'request' | 'notification';

/** Problem with a method name: a clause with the cause, and advice. */
export interface MethodProblem {
  why: string;
  next: string;
}

/** Prefix of notification methods. */
const NOTIFICATION = 'notifications/';

const KNOWN: readonly string[] = [...new Set([...METHOD_NAMES, ...METHODS_WITH_KNOWN_PARAMS])];

/** Maximum number of typos in a suggestion. A limit of two would confuse methods of extensions with MCP methods. */
const TYPOS_MAX = 1;

const ADVICE: Readonly<Record<MethodKind, string>> = {
  request: "Name the method of a request, e.g. 'tools/call'.",
  notification: "Name the method of a notification, e.g. 'notifications/message'.",
};

export function isNotificationMethod(method: string): boolean {
  return method.startsWith(NOTIFICATION);
}

/**
 * Returns the problem with a method that cannot belong to MCP or an extension. Undefined: the method is possible.
 * Methods of extensions contain a slash and are not misspelled MCP methods.
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

/** Returns the problem with a method that no message of this kind can have. Undefined: the method is possible. */
export function methodProblem(method: unknown, kind: MethodKind): MethodProblem | undefined {
  if (typeof method !== 'string' || method === '')
    return { why: `the method is ${JSON.stringify(method) ?? String(method)}`, next: ADVICE[kind] };
  const unknown = unknownMethod(method);
  if (unknown) return unknown;
  if (isNotificationMethod(method) === (kind === 'notification')) return undefined;
  const other = kind === 'notification' ? 'request' : 'notification';
  return { why: `it is the method of a ${other}`, next: ADVICE[kind] };
}
