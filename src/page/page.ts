import type { Cassette } from '../cassette/types.ts';
import { packageVersion } from '../kernel/package.ts';
import { type CallersChanges, withCallersChanges } from './callers.ts';
import { differenceView } from './difference-view.ts';
import type { JournalEntry } from './journal.ts';
import { marksOf } from './marks.ts';
import type { PageData } from './page-data.ts';
import { sessionView } from './session-view.ts';

export interface PageOptions {
  /** The faults that struck the last of the cassettes. */
  journal?: readonly JournalEntry[];
  /** What changed for callers from one session to another; without it, nobody is told. */
  callersChanges?: (before: Cassette, after: Cassette) => CallersChanges[];
}

/**
 * What the page of these cassettes shows: of one the session; of more also what differs between the first and each of the
 * others, and that first.
 */
export function pageOf(
  cassettes: readonly Cassette[],
  { journal = [], callersChanges = () => [] }: PageOptions = {},
): PageData {
  const sessions = cassettes.map((cassette, index) => ({
    cassette,
    view: sessionView(cassette, marksOf(cassette, index === cassettes.length - 1 ? journal : [])),
  }));
  const [first, ...others] = sessions;
  const differences = others.map(({ cassette, view }) =>
    withCallersChanges(differenceView(first!.view, view), callersChanges(first!.cassette, cassette)),
  );
  return { version: packageVersion(), views: [...differences, ...sessions.map(({ view }) => view)] };
}
