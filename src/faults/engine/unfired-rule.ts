import { isOAuthName } from '../../protocol/oauth-requests.ts';
import type { Rule } from '../rules/fault-rule.ts';

/** Rule that never fired. */
export interface Unfired {
  /** Position of the rule, from 1. */
  rule: number;
  /** Why its fault changed nothing about a message that the rule matched. Absent: the rule matched none. */
  why?: string | undefined;
}

/** Returns the message about a rule that has not fired. `number` counts from 1. */
export function unfiredText(rules: readonly Rule[], { rule, why }: Unfired): string {
  const unfired = rules[rule - 1]!;
  return `Rule ${rule} (${unfired.fault.kind.name}) never fired${unfiredReason(unfired, why)}.`;
}

/** Faults of access tokens. Their files are loaded with the rules only. */
const OF_TOKENS: ReadonlySet<string> = new Set(['token-refused', 'insufficient-scope']);

/** Returns the reason why a rule has not fired, after a colon, or an empty text. `why`: as of {@link Unfired}. */
export function unfiredReason({ fault: { kind }, when }: Rule, why: string | undefined): string {
  if (why !== undefined && OF_TOKENS.has(kind.name))
    return `: ${why}. A mock server requires tokens with --auth of replay or mock, or in a test with auth: true`;
  if (why !== undefined) return `: ${why}`;
  const method = when?.method ?? kind.when?.method;
  return isOAuthName(method) ? `: no request ${method} matched it, so that the client may not have made one` : '';
}
