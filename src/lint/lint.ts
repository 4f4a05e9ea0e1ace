import type { Cassette } from '../cassette/cassette.ts';
import type { Side } from '../channel/frame.ts';
import type { LintRule, Severity } from './lint-rule.ts';
import { lintSession } from './lint-session.ts';
import { CAPABILITIES } from './rules/capabilities.ts';
import { FRAMING } from './rules/framing.ts';
import { LIFECYCLE_RULES } from './rules/lifecycle.ts';
import { RESULTS } from './rules/results.ts';
import { MODERN } from './rules/self-describing-requests.ts';
import { UTILITIES } from './rules/utilities.ts';

/** Every rule there is. */
export const RULES: readonly LintRule[] = [
  ...FRAMING,
  ...LIFECYCLE_RULES,
  ...CAPABILITIES,
  ...UTILITIES,
  ...RESULTS,
  ...MODERN,
];

/** A rule that a session breaks, and where. */
export interface Violation {
  /** The rule's id. */
  rule: string;
  severity: Severity;
  sentence: string;
  source: string;
  who: Side;
  file: string;
  line: number;
  why: string;
}

/** What of the protocol the two sides of a session broke, in the order of the cassette. */
export function lint(cassette: Cassette, rules: readonly LintRule[] = RULES): Violation[] {
  const session = lintSession(cassette);
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
