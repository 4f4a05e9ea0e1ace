import type { VerifiedStep } from '../../html-report/data/report-data-types.ts';
import { shownDifferences } from '../../html-report/data/shown-differences.ts';
import type { Step } from '../../text-report/outcome-model.ts';

/** Returns a step as pages show it: with the differences in place of the values. */
export function stepPageData({
  title,
  line,
  status,
  headline,
  details,
  duration,
  changes,
  ...values
}: Step): VerifiedStep {
  const { recorded, live } = values;
  return {
    title,
    status,
    ...(line !== undefined && { line }),
    ...(headline !== undefined && { headline }),
    ...(details && { details }),
    ...(duration !== undefined && { took: duration }),
    ...((recorded !== undefined || live !== undefined) && { differences: shownDifferences(recorded, live) }),
    ...(changes && changes.length > 0 && { callers: changes }),
  };
}
