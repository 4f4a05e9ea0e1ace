import type { Outcome, Step } from '../text-report/outcome-model.ts';
import { failedStep, type LoadResult, loadOutcome } from './load-report.ts';

/** Returns the checks for JUnit, which has no notes: failures that a threshold limits are skipped cases with their values. */
export function junitOutcome(result: LoadResult): Outcome {
  const outcome = loadOutcome(result);
  const limit = result.thresholds.find(({ metric }) => metric === 'failed');
  if (limit === undefined) return outcome;
  const limited = result.stats.failures().map((failure): Step => {
    const { headline, ...step } = failedStep(failure, result.stats.counts);
    return { ...step, status: 'skipped', headline: `${headline}: counted by ${limit.text}` };
  });
  return { ...outcome, steps: [...limited, ...outcome.steps] };
}
