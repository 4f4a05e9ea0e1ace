import type { SessionEntry } from '../cassette/correlate/session-entries.ts';
import type { Side } from '../channel/frame.ts';
import type { LintSession } from './session-for-rules.ts';

/** `error`: a MUST is broken. `warning`: a SHOULD is. */
export type Severity = 'error' | 'warning';

/** A place of a cassette that breaks a rule. */
export interface RuleBreach {
  entry: SessionEntry;
  /** Who broke it; absent: who said the message. */
  who?: Side;
  /** What is wrong there, as a clause. */
  why: string;
}

/** One requirement of the protocol, as a check of a whole session. */
export interface LintRule {
  /** Stable name, kebab-case. */
  id: string;
  severity: Severity;
  /** The requirement, in one sentence. */
  sentence: string;
  /** Where the specification has it. */
  source: string;
  /** In which era it holds; absent: in both. */
  era?: 'legacy' | 'modern';
  check(session: LintSession): RuleBreach[];
}
