import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { isBareRefusal } from '../../channel/error-response-without-id.ts';
import { httpFailuresAsErrors } from './http-failures-as-errors.ts';
import { mergeResumedStreams } from './merge-resumed-streams.ts';
import { streamClosesToCancels } from './stream-close-to-cancel.ts';

/**
 * Reduces an HTTP session to its JSON-RPC messages, so that any transport can play it. A JSON-RPC error replaces an
 * HTTP response without a message. Each message keeps its status, its SSE mark, and its stream, because several clients
 * may have used the same ids.
 */
export function stripHttp(cassette: Cassette): Cassette {
  if (cassette.header.transport === 'stdio') return cassette;
  const { url, ...header } = cassette.header;
  const events = httpFailuresAsErrors(cancelledOnce(mergeResumedStreams(cassette.events))).flatMap(messageOnly);
  return { ...cassette, header: { ...header, transport: 'stdio' }, events };
}

/**
 * Replaces closes by cancels, and removes the second cancel of a request. SDK clients of 2026-07-28 over HTTP close the
 * stream of a subscription and post `notifications/cancelled`. Without streams, they send one message.
 */
function cancelledOnce(events: readonly CassetteEvent[]): CassetteEvent[] {
  const cancelled = streamClosesToCancels(events);
  const closes = new Set(cancelled.filter((event, index) => event !== events[index]));
  if (closes.size === 0) return cancelled;
  const entries = eventsToEntries(cancelled);
  const { cancelOf, cancelledRequestOf } = correlateEntries(entries);
  const second = new Set<number>();
  for (const [cancel, request] of cancelledRequestOf) {
    const first = cancelOf.get(request)!;
    const [one, other] = [cancelled[entries[first]!.event]!, cancelled[entries[cancel]!.event]!];
    if (first !== cancel && closes.has(one) !== closes.has(other)) second.add(entries[cancel]!.event);
  }
  return cancelled.filter((_, index) => !second.has(index));
}

function messageOnly(event: CassetteEvent): CassetteEvent[] {
  const { frame } = event;
  if (frame.kind !== 'message' || isBareRefusal(frame)) return [];
  const { kind, at, from, json, sse, status, stream } = frame;
  const carried = { ...(sse && { sse: {} }), ...(status && { status }), ...(stream && { stream }) };
  return [{ ...event, frame: { kind, at, from, json, ...carried } }];
}
