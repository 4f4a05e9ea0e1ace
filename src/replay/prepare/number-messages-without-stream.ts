import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { MessageFrame } from '../../channel/frame.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

/**
 * Gives a stream to each message of an HTTP cassette that has none, as to a call that a person has added: a new one to
 * each message of the client, and that of the request to what the server says about it. Messages of the server outside
 * of such a request go to the client's listening stream, `listening`.
 */
export function numberMessagesWithoutStream(events: readonly CassetteEvent[], listening: number): CassetteEvent[] {
  if (!events.some(({ frame }) => lacksStream(frame))) return [...events];
  let last = Math.max(0, ...events.map(({ frame }) => frame.stream ?? 0));
  /** Streams of the requests without a stream that are open, by id. */
  const open = new Map<string, number>();
  const streamOf = ({ from, json }: MessageFrame): number => {
    const id = scalarKeyAt(json, ['id']) ?? '';
    if (from === 'client') {
      last += 1;
      if (isRequest(json.value)) open.set(id, last);
      return last;
    }
    const stream = (isResponse(json.value) ? open.get(id) : [...open.values()].at(-1)) ?? listening;
    if (isResponse(json.value)) open.delete(id);
    return stream;
  };
  return events.map((event) => {
    const { frame } = event;
    if (!lacksStream(frame)) return event;
    // An event stream can also carry what the server says before the answer.
    const sse = frame.from === 'server' && { sse: frame.sse ?? {} };
    return { ...event, frame: { ...frame, ...sse, stream: streamOf(frame) } };
  });
}

function lacksStream(frame: CassetteEvent['frame']): frame is MessageFrame {
  return frame.kind === 'message' && frame.stream === undefined;
}
