import { Conversations } from '../cassette/conversations.ts';
import type { Cassette, TapeEvent } from '../cassette/types.ts';
import { isId, isResponse } from '../protocol/message.ts';

/**
 * A session over HTTP as what its two sides said, which any transport can carry. What HTTP added (streams, statuses,
 * events without a message) is left out, and so is the body of a refusal that answers no request by its id; how a message
 * itself was carried stays, and which conversation it was of: several clients may have used the same ids.
 */
export function messagesOnly(cassette: Cassette): Cassette {
  if (cassette.header.transport === 'stdio') return cassette;
  const { url, ...header } = cassette.header;
  return { ...cassette, header: { ...header, transport: 'stdio' }, events: said(cassette.events) };
}

function said(events: readonly TapeEvent[]): TapeEvent[] {
  const conversations = new Conversations();
  return events.flatMap((event) => {
    conversations.pass(event);
    return saidBy(event, conversations.of(event.frame));
  });
}

function saidBy(event: TapeEvent, stream: number | undefined): TapeEvent[] {
  const { frame } = event;
  if (frame.kind !== 'message') return [];
  const { kind, at, from, json, sse, status } = frame;
  if (sse === undefined && isResponse(json.value) && !isId(json.value.id)) return [];
  const carried = { ...(sse && { sse: {} }), ...(status && { status }), ...(stream && { stream }) };
  return [{ ...event, frame: { kind, at, from, json, ...carried } }];
}
