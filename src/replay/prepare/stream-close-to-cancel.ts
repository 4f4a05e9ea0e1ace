import type { CassetteEvent } from '../../cassette/cassette.ts';
import { StreamCancelFinder } from '../../cassette/correlate/stream-cancel-finder.ts';
import type { MessageFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { metaOf } from '../../protocol/meta.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/**
 * Replaces the client's close of a stream before the response by `notifications/cancelled`. From 2026-07-28 on, closing
 * the stream cancels a request over HTTP ("Cancellation"). In older revisions it does not.
 */
export function streamClosesToCancels(events: readonly CassetteEvent[]): CassetteEvent[] {
  const cancels = new StreamCancelFinder<CassetteEvent>();
  return events.map((event) => {
    const request = cancels.pass(event)?.frame;
    if (request?.kind !== 'message') return event;
    const { at, stream } = event.frame;
    return { ...event, frame: { ...cancelOf(request, at), stream: stream! } };
  });
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
