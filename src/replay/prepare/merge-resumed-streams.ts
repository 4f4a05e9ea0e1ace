import type { CassetteEvent } from '../../cassette/cassette.ts';
import { ResumedStreams } from '../../cassette/correlate/resumed-streams.ts';
import type { MessageFrame } from '../../channel/frame.ts';
import { isId, isResponse } from '../../protocol/message.ts';

/** The events of HTTP, each with the conversation that it was of as its stream, without what was delivered again. */
export function mergeResumedStreams(events: readonly CassetteEvent[]): CassetteEvent[] {
  const conversations = new ResumedStreams();
  return saidOnce(events).map((event) => {
    conversations.pass(event);
    const stream = conversations.of(event.frame);
    return stream === undefined ? event : { ...event, frame: { ...event.frame, stream } };
  });
}

/** The events without those that a client had heard already when it went on with a stream, by their ids. */
function saidOnce(events: readonly CassetteEvent[]): CassetteEvent[] {
  const heard = new Set<string>();
  const goingOn = new Set<number | undefined>();
  return events.filter(({ frame }) => {
    if (frame.kind === 'open' && frame.resumes !== undefined) goingOn.add(frame.stream);
    const id = 'sse' in frame ? frame.sse?.id : undefined;
    if (id === undefined) return true;
    const isAgain = heard.has(id) && goingOn.has(frame.stream);
    heard.add(id);
    return !isAgain;
  });
}

/** The body of a refusal that answers no request by its id. */
export function isBareRefusal({ json, sse }: MessageFrame): boolean {
  return sse === undefined && isResponse(json.value) && !isId(json.value.id);
}
