import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { MessageFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { metaOf } from '../../protocol/meta.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { claimedRevision } from '../../transports/http/mcp-headers/request-headers.ts';

/**
 * Replaces the client's close of a stream before the response by `notifications/cancelled`. From 2026-07-28 on, closing
 * the stream cancels a request over HTTP ("Cancellation"). In older revisions it does not.
 */
export function streamClosesToCancels(events: readonly CassetteEvent[]): CassetteEvent[] {
  /** Unanswered request of a stream. */
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

/** Reports whether the client cancels this request by closing its stream. */
export function cancelsByStream({ from, json }: MessageFrame): boolean {
  const { value } = json;
  return from === 'client' && isRequest(value) && claimedRevision(value) !== undefined;
}

/** Returns the cancellation of a 2026-07-28 request, with the `_meta` of the request. */
export function cancelOf({ json }: MessageFrame, at: Milliseconds): MessageFrame {
  const { params } = json.value as { params?: unknown };
  const { progressToken, ..._meta } = metaOf(params);
  const meta = JSON.stringify(_meta);
  const id = scalarKeyAt(json, ['id']);
  const text = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"_meta":${meta}}}`;
  return { kind: 'message', at, from: 'client', json: new JsonText(text) };
}
