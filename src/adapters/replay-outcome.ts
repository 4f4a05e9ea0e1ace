import type { Finding } from '../replay/finding.ts';

/** What fails the test that owns a recorded server. */
export interface Expectations {
  /** A request that the tape does not have. Default: `fail`. */
  onMiss?: 'fail' | 'report';
  /** A recorded request that never came. Default: `fail`. */
  onUnused?: 'fail' | 'report';
}

/** How it went with a recorded server. */
export interface ReplayOutcome {
  findings: Finding[];
  /** Something was found that fails the test. */
  failed: boolean;
}

/** Judges what was found. */
export function replayOutcome(
  findings: Finding[],
  expectations: Expectations & { onUnfired?: 'fail' | 'report' },
): ReplayOutcome {
  const { onMiss = 'fail', onUnused = 'fail', onUnfired = 'fail' } = expectations;
  const answers: Partial<Record<Finding['kind'], string>> = {
    miss: onMiss,
    unused: onUnused,
    unfired: onUnfired,
  };
  return { findings, failed: findings.some(({ kind }) => answers[kind] === 'fail') };
}
