import { type Expectations, failsOnlyIfGiven, isFailure } from './failure-policy.ts';
import type { Finding } from './finding.ts';

export type { Expectations } from './failure-policy.ts';

/** Outcome of a session with a recorded server. */
export interface ReplayOutcome {
  findings: Finding[];
  /** Whether any finding fails the test. */
  failed: boolean;
  /** Findings that fail the test: `expect((await server.finish()).failures).toEqual([])`. */
  failures: readonly Finding[];
}

/** Returns the outcome for these findings. An absent expectation means `fail`, but for findings that fail only if asked. */
export function replayOutcome(findings: Finding[], expectations: Expectations): ReplayOutcome {
  const { onMiss = 'fail', onUnused = 'fail', onDifference = 'fail', onUnfired = 'fail' } = expectations;
  const all = { onMiss, onUnused, onDifference, onUnfired };
  const given = { ...REPORTED, ...expectations };
  const failures = findings.filter(({ kind }) => isFailure(kind, failsOnlyIfGiven(kind) ? given : all));
  return { findings, failed: failures.length > 0, failures };
}

const REPORTED = { onMiss: 'report', onUnused: 'report', onDifference: 'report', onUnfired: 'report' } as const;
