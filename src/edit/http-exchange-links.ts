import type { CassetteEvent } from '../cassette/cassette.ts';
import { ResumedStreams } from '../cassette/correlate/resumed-streams.ts';
import type { Frame } from '../channel/frame.ts';

/** Dependency between two events, by position. */
interface ExchangeLink {
  event: number;
  other: number;
  /** Whether selecting `other` also selects `event`. */
  brings?: boolean;
  isMutual?: boolean;
}

/**
 * Yields the dependencies of frames in HTTP exchanges. The frames of a request's exchange, and of streams that resume
 * it, belong together. A listening stream carries effects of many requests: its messages depend on its start, but are
 * not selected with it.
 */
export function* exchangeLinks(events: readonly CassetteEvent[]): Generator<ExchangeLink> {
  const conversations = new ResumedStreams();
  const openers = new Map<number, number>();
  /** Latest event, by server-sent event id. */
  const sent = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined) continue;
    conversations.add(event);
    if (!openers.has(stream)) openers.set(stream, index);
    const opener = openers.get(stream)!;
    const first = openers.get(conversations.of(frame)!) ?? opener;
    const isListening = events[first]!.frame.kind === 'open';
    const isMutual = FRAMING.has(frame.kind);
    yield { event: index, other: opener, brings: !isListening || frame.kind !== 'message', isMutual };
    if (!isListening) yield { event: index, other: first, brings: true, isMutual };
    const resumed = frame.kind === 'open' ? sent.get(frame.resumes ?? '') : undefined;
    if (resumed !== undefined) yield { event: index, other: resumed };
    if ('sse' in frame && frame.sse?.id !== undefined) sent.set(frame.sse.id, index);
  }
}

/** Frames of an HTTP exchange without a message. */
const FRAMING: ReadonlySet<Frame['kind']> = new Set(['open', 'http-response', 'close']);
