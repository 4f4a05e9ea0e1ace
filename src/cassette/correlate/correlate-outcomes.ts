import type { SessionEntry } from '../split-batches-into-entries.ts';
import { EntryCorrelator, type Links } from './correlate-entries.ts';
import { IndexTable } from './index-to-index-map.ts';
import { StreamCancelFinder } from './stream-cancel-finder.ts';

/**
 * Links entries as `EntryCorrelator` does, for those who show or judge how requests ended. A close by which the client
 * cancels its request counts as its cancellation. Players need no such links: they play `notifications/cancelled` in
 * place of the close.
 */
export class OutcomeCorrelator extends EntryCorrelator {
  readonly #cancels = new StreamCancelFinder<SessionEntry>();

  override pass(entry: SessionEntry): void {
    super.pass(entry);
    const request = this.#cancels.pass(entry)?.index;
    const { answerOf, cancelOf, cancelledRequestOf } = this.links;
    // A resumed stream may have brought the answer.
    if (request === undefined || answerOf.has(request)) return;
    cancelledRequestOf.set(entry.index, request);
    if (!cancelOf.has(request)) cancelOf.set(request, entry.index);
  }
}

/** Returns the links between the entries of a whole session, for those who show or judge how requests ended. */
export function correlateOutcomes(entries: readonly SessionEntry[]): Links {
  const { length } = entries;
  const tables = { answerOf: new IndexTable(length), requestOf: new IndexTable(length) };
  const correlator = new OutcomeCorrelator(entries, tables);
  for (const entry of entries) correlator.pass(entry);
  return correlator.links;
}
