import { packageVersion } from '../../kernel/installed-package.ts';
import type { Outcome } from '../../text-report/outcome-model.ts';
import type { ReportOptions } from './error-in-reports.ts';
import { writeReport } from './write-report-file.ts';

/**
 * Writes an outcome as JUnit XML and as SARIF, where options name files.
 * @throws McpRecordError USAGE_CANNOT_WRITE
 */
export async function writeOutcomeReports(
  outcome: Outcome,
  { junit, sarif }: Pick<ReportOptions, 'junit' | 'sarif'>,
): Promise<void> {
  if (junit !== undefined) writeReport(junit, (await import('../../text-report/junit.ts')).junitXml(outcome));
  if (sarif === undefined) return;
  writeReport(sarif, (await import('../../text-report/sarif.ts')).sarif(outcome, packageVersion()));
}
