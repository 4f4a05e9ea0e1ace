import { didYouMean } from '../../kernel/did-you-mean.ts';
import { type MethodProblem, unknownMethod } from '../../protocol/method-problem.ts';
import { isOAuthName, OAUTH_REQUESTS } from '../../protocol/oauth-requests.ts';
import type { When } from './when.ts';

/** Reports whether the peers use a method that may be neither one of MCP nor one of an extension. */
export type UsesMethod = (method: string) => boolean;

/** Accepts every method, for rules whose methods come from a cassette or are checked in another place. */
export const anyMethod: UsesMethod = () => true;

/** Returns the problem with the method of a condition that no message has. Undefined: a message may have it. */
export function unknownRuleMethod({ kind, method }: When, isUsed?: UsesMethod): MethodProblem | undefined {
  // The method of a request without a message is that of HTTP.
  if (method === undefined || kind === 'open') return undefined;
  if (kind === 'authorization' || isOAuthName(method)) return unknownOAuthRequest(method);
  const problem = unknownMethod(method);
  if (problem === undefined || isUsed?.(method)) return undefined;
  return { ...problem, why: `the rule could never fire: MCP has no method ${JSON.stringify(method)}` };
}

function unknownOAuthRequest(method: string): MethodProblem | undefined {
  if (OAUTH_REQUESTS.some((one) => one === method)) return undefined;
  const meant = didYouMean(method, OAUTH_REQUESTS, TYPOS_MAX);
  return {
    why: `the rule could never fire: there is no ${JSON.stringify(method)} in an authorization flow`,
    next: meant === undefined ? `It has ${OAUTH_REQUESTS.join(', ')}.` : `Did you mean ${JSON.stringify(meant)}?`,
  };
}

/** Maximum number of typos in a suggestion. The names have a common prefix, which is no sign of a typo. */
const TYPOS_MAX = 3;
