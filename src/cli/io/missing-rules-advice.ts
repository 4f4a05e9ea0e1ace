import type { Cassette } from '../../cassette/cassette.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { hasRules, type RedactionOptions } from '../options/redaction-options.ts';
import { wasRedacted } from '../options/restore-secrets-from-env.ts';
import { hasClientVariablesOnly, PASSED_ALONE } from './client-environment.ts';

/** Advice for a process that rules of the shell may not have reached. The text before it ends with options. */
export const RULES_OF_SHELL = `\n  The client that started this process ${PASSED_ALONE}. If your shell exports MCP_RECORD_REDACT_RULES, add --redact-rules FILE to this command in the client.`;

/**
 * Returns a function that gives advice for the first request without a recorded match, on a line of its own. It
 * is empty unless the reason may be that the rules of a redacted cassette did not reach this process: a redacted value differs.
 */
export function missingRulesAdvice(cassette: Cassette, options: RedactionOptions): (finding: Finding) => string {
  let advice = !hasRules(options) && wasRedacted(cassette) && hasClientVariablesOnly() ? RULES_OF_SHELL : '';
  return ({ kind, mayLackRules }) => {
    if (kind !== 'miss' || !mayLackRules) return '';
    const first = advice;
    advice = '';
    return first;
  };
}
