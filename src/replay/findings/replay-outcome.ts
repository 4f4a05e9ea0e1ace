import { type Expectations, isFailure } from './expectations.ts';
import type { Finding } from './finding.ts';

export type { Expectations } from './expectations.ts';

/** How it went with a recorded server. */
export interface ReplayOutcome {
  findings: Finding[];
  /** Something was found that fails the test. */
  failed: boolean;
  /** Of the findings, those that fail it: `expect((await server.finish()).failures).toEqual([])`. */
  failures: readonly Finding[];
}

/** Judges what was found. An expectation that is absent is `fail`. */
export function replayOutcome(findings: Finding[], expectations: Expectations): ReplayOutcome {
  const { onMiss = 'fail', onUnused = 'fail', onDifference = 'fail', onUnfired = 'fail' } = expectations;
  const all = { onMiss, onUnused, onDifference, onUnfired };
  const failures = findings.filter(({ kind }) => isFailure(kind, all));
  return { findings, failed: failures.length > 0, failures };
}
