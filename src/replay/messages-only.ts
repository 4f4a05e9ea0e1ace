import type { Cassette, TapeEvent } from '../cassette/types.ts';
import { isId, isResponse } from '../protocol/message.ts';

/**
 * A session over HTTP as what its two sides said, which any transport can carry. What HTTP added (streams, statuses,
 * events without a message) is left out, and so is the body of a refusal that answers no request by its id; how a message
 * itself was carried stays.
 */
export function messagesOnly(cassette: Cassette): Cassette {
  if (cassette.header.transport === 'stdio') return cassette;
  const { url, ...header } = cassette.header;
  return { ...cassette, header: { ...header, transport: 'stdio' }, events: cassette.events.flatMap(said) };
}

function said(event: TapeEvent): TapeEvent[] {
  const { frame } = event;
  if (frame.kind !== 'message') return [];
  const { kind, at, from, json, sse, status } = frame;
  if (sse === undefined && isResponse(json.value) && !isId(json.value.id)) return [];
  return [{ ...event, frame: { kind, at, from, json, ...(sse && { sse: {} }), ...(status && { status }) } }];
}
