import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { Side } from '../channel/frame.ts';
import type { LintSession } from './session-for-rules.ts';

/** Severity of a rule: MUST requirements give an `error`, SHOULD requirements a `warning`. */
export type Severity = 'error' | 'warning';

/** Entry of a cassette that breaks a rule. */
export interface RuleBreach {
  entry: SessionEntry;
  /** Side that broke the rule. Absent: the sender of the message. */
  who?: Side;
  /** Reason, as a clause. */
  why: string;
}

/** Requirement of the protocol, with a check of a whole session. */
export interface LintRule {
  /** Stable name, kebab-case. */
  id: string;
  severity: Severity;
  /** Requirement, in one sentence. */
  sentence: string;
  /** Section of the specification. */
  source: string;
  /** Era of the requirement. Absent: both. */
  era?: 'legacy' | 'modern';
  check(session: LintSession): RuleBreach[];
}
