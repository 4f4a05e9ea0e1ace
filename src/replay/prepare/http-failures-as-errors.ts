import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { entriesOf, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { missingResponseError, whyNoResponse } from '../../transports/http/client/missing-response.ts';
import { challengedStreams } from './auth-challenges.ts';

/**
 * The events of HTTP, with an error that says why in the place of what was no answer: a status, or the end of the stream.
 * What was challenged for a token and came again is left out.
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

/** Stream → ids, as JSON tokens, of the requests on it that were neither answered, on whatever stream, nor cancelled. */
function unansweredOn(events: readonly CassetteEvent[]): Map<number, string[]> {
  const entries = entriesOf(events);
  const { answerOf, cancelOf } = correlateEntries(entries);
  const waits = ({ index, from, message }: SessionEntry) =>
    from === 'client' && isRequest(message) && !answerOf.has(index) && !cancelOf.has(index);
  const unanswered = new Map<number, string[]>();
  for (const entry of entries.filter(waits)) {
    const { stream } = entry.frame;
    if (stream === undefined) continue;
    unanswered.set(stream, [...(unanswered.get(stream) ?? []), tokenAt(entry.json!, ['id'])!]);
  }
  return unanswered;
}

/** Stream → the frame that ended it without an answer. One that the client left was not ended by its server. */
function endingsOf(events: readonly CassetteEvent[]): Map<number, Frame> {
  // HTTP with SSE (2024-11-05) only accepts what is posted, and answers on the one stream that tells the endpoint.
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
