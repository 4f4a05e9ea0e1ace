import type { TapeEvent } from '../../cassette/cassette.ts';
import { correlateMoves } from '../../cassette/correlate/correlate-entries.ts';
import { type Move, movesOf } from '../../cassette/correlate/session-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { noAnswer, whyNoAnswer } from '../../transports/http/client/missing-response.ts';
import { challengedStreams } from './auth-challenges.ts';

/**
 * The events of HTTP, with an error that says why in the place of what was no answer: a status, or the end of the stream.
 * What was challenged for a token and came again is left out.
 */
export function withStandIns(events: readonly TapeEvent[]): TapeEvent[] {
  const challenged = challengedStreams(events);
  const passed = events.filter(({ frame: { stream } }) => stream === undefined || !challenged.has(stream));
  const unanswered = unansweredOn(passed);
  const endings = endingsOf(passed);
  return passed.flatMap((event): TapeEvent[] => {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined || endings.get(stream) !== frame) return [event];
    const standIns = (unanswered.get(stream) ?? []).map((id): TapeEvent => {
      const json = new JsonText(noAnswer(id, whyNoAnswer(frame)!));
      return { ...event, frame: { kind: 'message', at: frame.at, from: 'server', json, stream } };
    });
    return standIns.length > 0 ? standIns : [event];
  });
}

/** Stream → ids, as JSON tokens, of the requests on it that were neither answered, on whatever stream, nor cancelled. */
function unansweredOn(events: readonly TapeEvent[]): Map<number, string[]> {
  const moves = movesOf(events);
  const { answerOf, cancelOf } = correlateMoves(moves);
  const waits = ({ index, from, message }: Move) =>
    from === 'client' && isRequest(message) && !answerOf.has(index) && !cancelOf.has(index);
  const unanswered = new Map<number, string[]>();
  for (const move of moves.filter(waits)) {
    const { stream } = move.frame;
    if (stream === undefined) continue;
    unanswered.set(stream, [...(unanswered.get(stream) ?? []), tokenAt(move.json!, ['id'])!]);
  }
  return unanswered;
}

/** Stream → the frame that ended it without an answer. One that the client left was not ended by its server. */
function endingsOf(events: readonly TapeEvent[]): Map<number, Frame> {
  // HTTP with SSE (2024-11-05) only accepts what is posted, and answers on the one stream that tells the endpoint.
  const isSse = events.some(({ frame }) => frame.kind === 'event' && frame.sse.event === 'endpoint');
  const endings = new Map<number, Frame>();
  const left = new Set<number>();
  for (const { frame } of events) {
    const { stream } = frame;
    if (stream === undefined || left.has(stream)) continue;
    if (frame.from === 'client' && frame.kind === 'close') left.add(stream);
    else if (frame.from === 'server' && whyNoAnswer(frame) !== undefined && !(isSse && isAccepted(frame)))
      endings.set(stream, frame);
  }
  return endings;
}

function isAccepted(frame: Frame): boolean {
  return frame.kind === 'close' || (frame.kind === 'reply' && Number(frame.status) < 300);
}
