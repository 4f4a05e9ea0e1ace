import type { Cassette, CassetteEvent } from '../../cassette/cassette.ts';
import { httpFailuresAsErrors } from './http-failures-as-errors.ts';
import { isBareRefusal, mergeResumedStreams } from './merge-resumed-streams.ts';
import { withCancels } from './stream-cancels.ts';

/**
 * A session over HTTP as what its two sides said, which any transport can carry. What HTTP added (streams, statuses,
 * events without a message, what was delivered again) is left out; an error stands in for an answer that was none, and how
 * a message itself was carried stays, and which conversation it was of: several clients may have used the same ids.
 */
export function stripHttp(cassette: Cassette): Cassette {
  if (cassette.header.transport === 'stdio') return cassette;
  const { url, ...header } = cassette.header;
  const events = httpFailuresAsErrors(withCancels(mergeResumedStreams(cassette.events))).flatMap(said);
  return { ...cassette, header: { ...header, transport: 'stdio' }, events };
}

function said(event: CassetteEvent): CassetteEvent[] {
  const { frame } = event;
  if (frame.kind !== 'message' || isBareRefusal(frame)) return [];
  const { kind, at, from, json, sse, status, stream } = frame;
  const carried = { ...(sse && { sse: {} }), ...(status && { status }), ...(stream && { stream }) };
  return [{ ...event, frame: { kind, at, from, json, ...carried } }];
}
