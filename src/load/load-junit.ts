import type { Outcome, Step } from '../text-report/outcome-model.ts';
import { failedStep, type LoadResult, loadOutcome, toleratingThreshold } from './load-report.ts';

/** Returns the checks for JUnit, which has no notes: failures that a threshold lets pass are skipped cases with their values. */
export function junitOutcome(result: LoadResult): Outcome {
  const outcome = loadOutcome(result);
  const limit = toleratingThreshold(result.thresholds);
  if (limit === undefined) return outcome;
  const limited = result.stats.failures().map((failure): Step => {
    const { headline, ...step } = failedStep(failure, result.stats.counts);
    return { ...step, status: 'skipped', headline: `${headline}: counted by ${limit.text}` };
  });
  return { ...outcome, steps: [...limited, ...outcome.steps] };
}
