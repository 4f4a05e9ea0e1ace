import type { Cassette } from '../../cassette/cassette.ts';
import { packageVersion } from '../../kernel/installed-package.ts';
import type { ReportData } from './report-data-types.ts';
import { type ReportOptions, reportViews } from './report-views.ts';

/** Builds the data of a report page. */
export function buildReport(cassettes: readonly Cassette[], options: ReportOptions = {}): ReportData {
  const views = reportViews(cassettes, options);
  return { version: packageVersion(), views, ...(options.isTimeline && { isTimeline: true }) };
}
