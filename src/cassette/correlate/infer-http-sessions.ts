import { isRequest } from '../../protocol/message.ts';
import type { CassetteEvent } from '../cassette.ts';
import type { Links } from './correlate-entries.ts';
import type { SessionEntry } from './session-entries.ts';

/**
 * Returns the session of each event of a cassette over HTTP, counted from 0. Each `initialize` that was accepted begins one, with what
 * its client tried before; over HTTP with SSE, the stream that its answer came on. An exchange belongs to the session that began last
 * before it: the ids of sessions are never recorded.
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

/** Returns where each session but the first begins. */
function sessionStarts(
  events: readonly CassetteEvent[],
  entries: readonly SessionEntry[],
  { answerOf }: Pick<Links, 'answerOf'>,
): number[] {
  const accepted: number[] = [];
  /** Streams on which a client asked what there is before it began. */
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
