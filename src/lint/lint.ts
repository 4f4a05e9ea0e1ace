import type { Cassette } from '../cassette/cassette.ts';
import type { Side } from '../channel/frame.ts';
import { isLater } from '../protocol/revisions.ts';
import { checkRules } from './check-rules.ts';
import type { LintRule, Severity } from './lint-rule.ts';
import { CAPABILITY_RULES } from './rules/capabilities.ts';
import { DEFINITION_RULES } from './rules/definitions.ts';
import { DEPRECATION_RULES } from './rules/deprecated-features.ts';
import { LIFECYCLE_RULES } from './rules/lifecycle.ts';
import { MESSAGE_SHAPE_RULES } from './rules/message-shape.ts';
import { MODERN_REVISION_RULES } from './rules/modern-revision.ts';
import { EXTENSION_RULES } from './rules/official-extensions.ts';
import { RESULT_RULES } from './rules/result-shapes.ts';
import { SAFETY_RULES } from './rules/unsafe-text.ts';
import { UTILITY_RULES } from './rules/utilities.ts';
import { sessionForRules } from './session-for-rules.ts';

/** All rules, but for those that need a validator. */
export const RULES: readonly LintRule[] = [
  ...MESSAGE_SHAPE_RULES,
  ...LIFECYCLE_RULES,
  ...CAPABILITY_RULES,
  ...UTILITY_RULES,
  ...RESULT_RULES,
  ...MODERN_REVISION_RULES,
  ...DEFINITION_RULES,
  ...DEPRECATION_RULES,
  ...EXTENSION_RULES,
  ...SAFETY_RULES,
];

/** Violation of a rule in a session. */
export interface Violation {
  /** Id of the rule. */
  rule: string;
  severity: Severity;
  sentence: string;
  source: string;
  who: Side;
  file: string;
  line: number;
  why: string;
}

/**
 * Returns the violations of both sides, in the order of the cassette. A later revision than those that are known may have
 * changed a rule, so its violations are warnings.
 */
export function lint(cassette: Cassette, rules: readonly LintRule[] = RULES): Violation[] {
  const { file } = cassette;
  const session = sessionForRules(cassette);
  const isUncertain = session.revision !== undefined && isLater(session.revision);
  const violations = checkRules(session, rules).map(({ rule, entry, who, why }): Violation => {
    const { id, sentence, source } = rule;
    const severity = isUncertain ? 'warning' : rule.severity;
    return { rule: id, severity, sentence, source, who, file, line: entry.line, why };
  });
  return violations.sort((a, b) => a.line - b.line);
}
