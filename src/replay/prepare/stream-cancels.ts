import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { MessageFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { metaOf } from '../../protocol/meta.ts';
import { claimedRevision } from '../../transports/http/mcp-headers/request-headers.ts';

/**
 * Returns the events with `notifications/cancelled` where a client closed the stream of a request before its answer: from
 * 2026-07-28 on that is how it cancels over HTTP ("Cancellation"). Before that revision it means nothing.
 */
export function withCancels(events: readonly CassetteEvent[]): CassetteEvent[] {
  /** Stream → the request that opened it, which has no answer yet. */
  const open = new Map<number, MessageFrame>();
  return events.map((event) => {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined) return event;
    if (frame.kind === 'message') {
      if (cancelsByStream(frame)) open.set(stream, frame);
      else if (isResponse(frame.json.value) && frame.from === 'server') open.delete(stream);
      return event;
    }
    const request = frame.kind === 'close' && frame.from === 'client' ? open.get(stream) : undefined;
    if (request === undefined) return event;
    open.delete(stream);
    return { ...event, frame: { ...cancelOf(request, frame.at), stream } };
  });
}

/** Whether the client cancels this request by closing its stream. */
export function cancelsByStream({ from, json }: MessageFrame): boolean {
  const { value } = json;
  return from === 'client' && isRequest(value) && claimedRevision(value) !== undefined;
}

/** The notification that cancels a request of 2026-07-28, with the envelope of that request. */
export function cancelOf({ json }: MessageFrame, at: Milliseconds): MessageFrame {
  const { params } = json.value as { params?: unknown };
  const { progressToken, ..._meta } = metaOf(params);
  const meta = JSON.stringify(_meta);
  const id = tokenAt(json, ['id']);
  const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"_meta":${meta}}}`;
  return { kind: 'message', at, from: 'client', json: new JsonText(text) };
}
