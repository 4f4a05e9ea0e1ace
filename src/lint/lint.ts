import type { Cassette } from '../cassette/cassette.ts';
import type { Side } from '../channel/frame.ts';
import type { LintRule, Severity } from './lint-rule.ts';
import { CAPABILITIES } from './rules/capabilities.ts';
import { DEFINITIONS } from './rules/definitions.ts';
import { EXTENSION_RULES } from './rules/extensions.ts';
import { LIFECYCLE_RULES } from './rules/lifecycle.ts';
import { FRAMING } from './rules/message-shape.ts';
import { MODERN } from './rules/modern-revision.ts';
import { RESULTS } from './rules/results.ts';
import { SAFETY } from './rules/safety.ts';
import { UTILITIES } from './rules/utilities.ts';
import { sessionForRules } from './session-for-rules.ts';

/** All rules. */
export const RULES: readonly LintRule[] = [
  ...FRAMING,
  ...LIFECYCLE_RULES,
  ...CAPABILITIES,
  ...UTILITIES,
  ...RESULTS,
  ...MODERN,
  ...DEFINITIONS,
  ...EXTENSION_RULES,
  ...SAFETY,
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

/** Returns the violations of both sides, in the order of the cassette. */
export function lint(cassette: Cassette, rules: readonly LintRule[] = RULES): Violation[] {
  const session = sessionForRules(cassette);
  const { file } = cassette;
  const violations = rules
    .filter(({ era }) => era === undefined || (era === 'modern') === session.modern)
    .flatMap(({ id, severity, sentence, source, check }) =>
      check(session).map(({ entry, who = entry.from, why }): Violation => {
        return { rule: id, severity, sentence, source, who, file, line: entry.line, why };
      }),
    );
  return violations.sort((a, b) => a.line - b.line);
}
