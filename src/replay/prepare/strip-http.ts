import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
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
  const events = httpFailuresAsErrors(streamClosesToCancels(mergeResumedStreams(cassette.events))).flatMap(messageOnly);
  return { ...cassette, header: { ...header, transport: 'stdio' }, events };
}

function messageOnly(event: CassetteEvent): CassetteEvent[] {
  const { frame } = event;
  if (frame.kind !== 'message' || isBareRefusal(frame)) return [];
  const { kind, at, from, json, sse, status, stream } = frame;
  const carried = { ...(sse && { sse: {} }), ...(status && { status }), ...(stream && { stream }) };
  return [{ ...event, frame: { kind, at, from, json, ...carried } }];
}
