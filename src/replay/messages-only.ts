import { Conversations } from '../cassette/conversations.ts';
import type { Cassette, TapeEvent } from '../cassette/types.ts';
import type { MessageFrame } from '../channel/frame.ts';
import { isId, isResponse } from '../protocol/message.ts';

/**
 * A session over HTTP as what its two sides said, which any transport can carry. What HTTP added (streams, statuses,
 * events without a message, what was delivered again) is left out, and so is the body of a refusal that answers no request
 * by its id; how a message itself was carried stays, and which conversation it was of: several clients may have used the
 * same ids.
 */
export function messagesOnly(cassette: Cassette): Cassette {
  if (cassette.header.transport === 'stdio') return cassette;
  const { url, ...header } = cassette.header;
  const events = placed(cassette.events).flatMap(said);
  return { ...cassette, header: { ...header, transport: 'stdio' }, events };
}

/** The events of HTTP, each with the conversation that it was of as its stream, without what was delivered again. */
export function placed(events: readonly TapeEvent[]): TapeEvent[] {
  const conversations = new Conversations();
  return saidOnce(events).map((event) => {
    conversations.pass(event);
    const stream = conversations.of(event.frame);
    return stream === undefined ? event : { ...event, frame: { ...event.frame, stream } };
  });
}

/** The events without those that a client had heard already when it went on with a stream, by their ids. */
function saidOnce(events: readonly TapeEvent[]): TapeEvent[] {
  const heard = new Set<string>();
  const goingOn = new Set<number | undefined>();
  return events.filter(({ frame }) => {
    if (frame.kind === 'open' && frame.resumes !== undefined) goingOn.add(frame.stream);
    const id = 'sse' in frame ? frame.sse?.id : undefined;
    if (id === undefined) return true;
    const isAgain = heard.has(id) && goingOn.has(frame.stream);
    heard.add(id);
    return !isAgain;
  });
}

/** The body of a refusal that answers no request by its id. */
export function isBareRefusal({ json, sse }: MessageFrame): boolean {
  return sse === undefined && isResponse(json.value) && !isId(json.value.id);
}

function said(event: TapeEvent): TapeEvent[] {
  const { frame } = event;
  if (frame.kind !== 'message' || isBareRefusal(frame)) return [];
  const { kind, at, from, json, sse, status, stream } = frame;
  const carried = { ...(sse && { sse: {} }), ...(status && { status }), ...(stream && { stream }) };
  return [{ ...event, frame: { kind, at, from, json, ...carried } }];
}
