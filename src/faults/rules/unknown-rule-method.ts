import { type MethodProblem, unknownMethod } from '../../protocol/method-problem.ts';
import { isOAuthName } from '../../protocol/oauth-requests.ts';
import type { When } from './when.ts';

/** Reports whether the peers use a method that may be neither one of MCP nor one of an extension. */
export type UsesMethod = (method: string) => boolean;

/** Accepts every method, for rules whose methods come from a cassette or are checked in another place. */
export const anyMethod: UsesMethod = () => true;

/** Returns the problem with the method of a condition that no message has. Undefined: a message may have it. */
export function unknownRuleMethod({ kind, method }: When, isUsed?: UsesMethod): MethodProblem | undefined {
  // The method of a request without a message is that of HTTP.
  if (method === undefined || kind === 'open' || kind === 'authorization' || isOAuthName(method)) return undefined;
  const problem = unknownMethod(method);
  if (problem === undefined || isUsed?.(method)) return undefined;
  return { ...problem, why: `the rule could never fire: MCP has no method ${JSON.stringify(method)}` };
}
