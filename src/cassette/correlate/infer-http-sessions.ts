import { isRequest } from '../../protocol/message.ts';
import type { CassetteEvent } from '../cassette.ts';
import type { SessionEntry } from '../split-batches-into-entries.ts';
import type { Links } from './correlate-entries.ts';

/**
 * Returns the session number of each event of an HTTP cassette, counted from 0. Session ids are never recorded, so
 * sessions are inferred. Each accepted `initialize` starts a session, together with the client's earlier probes; over
 * HTTP with SSE, the stream of the response starts it. An exchange belongs to the latest session that started before
 * it.
 */
export function inferHttpSessions(
  events: readonly CassetteEvent[],
  entries: readonly SessionEntry[],
  links: Pick<Links, 'answerOf'>,
): number[] {
  const starts = sessionStarts(events, entries, links);
  const ofStreams = new Map<number, number>();
  let begun = 0;
  return events.map(({ frame: { stream } }, event) => {
    while (starts[begun] !== undefined && starts[begun]! <= event) begun++;
    const session = ofStreams.get(stream ?? -1) ?? begun;
    if (stream !== undefined) ofStreams.set(stream, session);
    return session;
  });
}

/** Returns the first event of each session, except for the first session. */
function sessionStarts(
  events: readonly CassetteEvent[],
  entries: readonly SessionEntry[],
  { answerOf }: Pick<Links, 'answerOf'>,
): number[] {
  const accepted: number[] = [];
  /** Streams of a client's probes before the session. */
  const probes = new Set<number | undefined>();
  const openers = new Map<number | undefined, number>();
  for (const { index, event, from, frame, message } of entries) {
    if (!openers.has(frame.stream)) openers.set(frame.stream, event);
    if (from === 'server' || !isRequest(message)) continue;
    if (message.method === 'server/discover') probes.add(frame.stream);
    if (message.method !== 'initialize') continue;
    const answer = entries[answerOf.get(index) ?? -1];
    if (answer?.message !== undefined && 'result' in answer.message)
      accepted.push(Math.min(event, openers.get(answer.frame.stream) ?? event));
    else probes.add(frame.stream);
  }
  return accepted.slice(1).map((first) => {
    let start = first;
    while (start > 0 && probes.has(events[start - 1]!.frame.stream)) start--;
    return start;
  });
}
