import type { Cassette } from '../../cassette/cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { isRequest, isResponse, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';

/**
 * Returns the protocol revisions in cassettes: those negotiated by `initialize`, and those stated in `_meta` of
 * requests.
 */
export function recordedRevisions(cassettes: readonly Cassette[]): string[] {
  const revisions = new Set<string>();
  for (const { message } of cassettes.flatMap(({ events }) => eventsToEntries(events))) {
    const found = isRequest(message)
      ? metaOf(message.params)[META.protocolVersion]
      : isResponse(message) && resultOf(message).protocolVersion;
    if (typeof found === 'string') revisions.add(found);
  }
  return [...revisions].sort();
}
