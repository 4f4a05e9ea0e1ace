import { type Expectations, isFailure } from '../../replay/findings/expectations.ts';
import type { Finding } from '../../replay/findings/finding.ts';

export type { Expectations } from '../../replay/findings/expectations.ts';

/** How it went with a recorded server. */
export interface ReplayOutcome {
  findings: Finding[];
  /** Something was found that fails the test. */
  failed: boolean;
  /** Of the findings, those that fail it. Absent: none does. */
  failures?: readonly Finding[];
}

/** Judges what was found. An expectation that is absent is `fail`. */
export function replayOutcome(findings: Finding[], expectations: Expectations): ReplayOutcome {
  const { onMiss = 'fail', onUnused = 'fail', onDifference = 'fail', onUnfired = 'fail' } = expectations;
  const all = { onMiss, onUnused, onDifference, onUnfired };
  const failures = findings.filter(({ kind }) => isFailure(kind, all));
  return { findings, failed: failures.length > 0, ...(failures.length > 0 && { failures }) };
}
