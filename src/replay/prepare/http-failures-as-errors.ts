import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { missingResponseError, whyNoResponse } from '../../transports/http/client/missing-response.ts';
import { challengedStreams } from './refused-http-streams.ts';

/**
 * Replaces each HTTP response without a JSON-RPC response, and each premature end of a stream, by a JSON-RPC error with
 * the reason. Exchanges challenged for a token and repeated are left out.
 */
export function httpFailuresAsErrors(events: readonly CassetteEvent[]): CassetteEvent[] {
  const challenged = challengedStreams(events);
  const passed = events.filter(({ frame: { stream } }) => stream === undefined || !challenged.has(stream));
  const unanswered = unansweredOn(passed);
  const endings = endingsOf(passed);
  return passed.flatMap((event): CassetteEvent[] => {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined || endings.get(stream) !== frame) return [event];
    const standIns = (unanswered.get(stream) ?? []).map((id): CassetteEvent => {
      const json = new JsonText(missingResponseError(id, whyNoResponse(frame)!));
      return { ...event, frame: { kind: 'message', at: frame.at, from: 'server', json, stream } };
    });
    return standIns.length > 0 ? standIns : [event];
  });
}

/**
 * Returns the ids of requests that were neither answered (on any stream) nor cancelled, by stream. Ids are JSON tokens.
 */
function unansweredOn(events: readonly CassetteEvent[]): Map<number, string[]> {
  const entries = eventsToEntries(events);
  const { answerOf, cancelOf } = correlateEntries(entries);
  const waits = ({ index, from, message }: SessionEntry) =>
    from === 'client' && isRequest(message) && !answerOf.has(index) && !cancelOf.has(index);
  const unanswered = new ListMap<number, string>();
  for (const entry of entries.filter(waits)) {
    const { stream } = entry.frame;
    if (stream !== undefined) unanswered.add(stream, scalarKeyAt(entry.json!, ['id'])!);
  }
  return unanswered;
}

/**
 * Returns the server frame that ended a stream without a response, by stream. Streams closed by the client are left
 * out.
 */
function endingsOf(events: readonly CassetteEvent[]): Map<number, Frame> {
  // HTTP with SSE (2024-11-05) accepts each POST with a status and responds on the stream that announced the endpoint.
  const isSse = events.some(({ frame }) => frame.kind === 'sse' && frame.sse.event === 'endpoint');
  const endings = new Map<number, Frame>();
  const left = new Set<number>();
  for (const { frame } of events) {
    const { stream } = frame;
    if (stream === undefined || left.has(stream)) continue;
    if (frame.from === 'client' && frame.kind === 'close') left.add(stream);
    else if (frame.from === 'server' && whyNoResponse(frame) !== undefined && !(isSse && isAccepted(frame)))
      endings.set(stream, frame);
  }
  return endings;
}

function isAccepted(frame: Frame): boolean {
  return frame.kind === 'close' || (frame.kind === 'http-response' && Number(frame.status) < 300);
}
