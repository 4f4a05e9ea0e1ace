import type { Cassette } from '../cassette/types.ts';
import { packageVersion } from '../kernel/version.ts';
import { differenceView } from './difference-view.ts';
import type { JournalEntry } from './journal.ts';
import { marksOf } from './marks.ts';
import type { PageData } from './page-data.ts';
import { sessionView } from './session-view.ts';

/**
 * What the page of these cassettes shows: of one the session, of two also what differs between them, and that first.
 * `journal`: the faults that struck the last of them.
 */
export function pageOf(cassettes: readonly Cassette[], journal: readonly JournalEntry[] = []): PageData {
  const sessions = cassettes.map((cassette, index) =>
    sessionView(cassette, marksOf(cassette, index === cassettes.length - 1 ? journal : [])),
  );
  const [before, after] = sessions;
  const isPair = sessions.length === 2 && before !== undefined && after !== undefined;
  return {
    version: packageVersion(),
    views: isPair ? [differenceView(before, after), ...sessions] : sessions,
  };
}
