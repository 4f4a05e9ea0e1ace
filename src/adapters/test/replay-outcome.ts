import { type Expectations, isFailure } from '../../replay/findings/expectations.ts';
import type { Finding } from '../../replay/findings/finding.ts';

export type { Expectations } from '../../replay/findings/expectations.ts';

/** How it went with a recorded server. */
export interface ReplayOutcome {
  findings: Finding[];
  /** Something was found that fails the test. */
  failed: boolean;
}

/** Judges what was found. An expectation that is absent is `fail`. */
export function replayOutcome(findings: Finding[], expectations: Expectations): ReplayOutcome {
  const { onMiss = 'fail', onUnused = 'fail', onDifference = 'fail', onUnfired = 'fail' } = expectations;
  const all = { onMiss, onUnused, onDifference, onUnfired };
  return { findings, failed: findings.some(({ kind }) => isFailure(kind, all)) };
}
