import type { Cassette } from '../../cassette/cassette.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { withBreakingChanges } from './add-breaking-changes-to-view.ts';
import type { FaultLogEntry } from './faults/read-fault-log.ts';
import { marksOf } from './lint-and-fault-marks.ts';
import type { View } from './report-data-types.ts';
import { type SessionDifference, sessionDiffView } from './session-diff-view.ts';
import { sessionView } from './session-view.ts';

export interface ReportOptions {
  /** The cassettes are sessions of one client, and are not compared. Default: false. */
  isTimeline?: boolean;
  /** Journal of the faults injected into the session of the last cassette. */
  journal?: readonly FaultLogEntry[];
  /** Compares two sessions. Absent: the report derives the differences from its rows. */
  differencesBetween?: (before: Cassette, after: Cassette) => SessionDifference[];
  /** Rules for what the comparison leaves out. */
  ignore?: readonly Ignore[];
}

/**
 * Builds the views of a report page. Several cassettes get a comparison of the first with each other cassette, followed
 * by the sessions. For a timeline, the page makes a view of all sessions itself.
 */
export function reportViews(
  cassettes: readonly Cassette[],
  { isTimeline = false, journal = [], differencesBetween, ignore = [] }: ReportOptions = {},
): View[] {
  const sessions = cassettes.map((cassette, index) => ({
    cassette,
    view: sessionView(cassette, marksOf(cassette, index === cassettes.length - 1 ? journal : [])),
  }));
  if (isTimeline) return sessions.map(({ view }) => view);
  const [first, ...others] = sessions;
  const differences = others.map(({ cassette, view }) => {
    const found = differencesBetween?.(first!.cassette, cassette);
    const between = sessionDiffView(first!.view, view, found && { found, ignore });
    return found === undefined ? between : withBreakingChanges(between, found);
  });
  return [...differences, ...sessions.map(({ view }) => view)];
}
