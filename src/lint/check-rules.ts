import type { Side } from '../channel/frame.ts';
import type { LintRule, RuleBreach } from './lint-rule.ts';
import type { LintSession } from './session-for-rules.ts';

/** Violation of a rule, with the responsible side. */
export interface BrokenRule extends Required<RuleBreach> {
  rule: LintRule;
  who: Side;
}

/** Returns the breaches of the rules that hold in the era of a session, rule by rule. */
export function checkRules(session: LintSession, rules: readonly LintRule[]): BrokenRule[] {
  return rules
    .filter(({ era }) => era === undefined || (era === 'modern') === session.modern)
    .flatMap((rule) => rule.check(session).map(({ entry, who = entry.from, why }) => ({ rule, entry, who, why })));
}
