import type { CassetteEvent } from '../../cassette/cassette.ts';
import { ResumedStreams } from '../../cassette/correlate/resumed-streams.ts';

/** Gives the events of a resumed stream the number of the first stream, and removes redelivered server-sent events. */
export function mergeResumedStreams(events: readonly CassetteEvent[]): CassetteEvent[] {
  const conversations = new ResumedStreams();
  return withoutRepeatedEvents(events).map((event) => {
    conversations.add(event);
    const stream = conversations.of(event.frame);
    return stream === undefined ? event : { ...event, frame: { ...event.frame, stream } };
  });
}

/** Removes server-sent events that a resumed stream repeated, by their ids. An event that broke off was not sent yet. */
function withoutRepeatedEvents(events: readonly CassetteEvent[]): CassetteEvent[] {
  const seen = new Set<string>();
  const resumed = new Set<number | undefined>();
  return events.filter(({ frame }) => {
    if (frame.kind === 'open' && frame.resumes !== undefined) resumed.add(frame.stream);
    const id = 'sse' in frame ? frame.sse?.id : undefined;
    if (id === undefined || ('partial' in frame && frame.partial)) return true;
    const isRepeated = seen.has(id) && resumed.has(frame.stream);
    seen.add(id);
    return !isRepeated;
  });
}
