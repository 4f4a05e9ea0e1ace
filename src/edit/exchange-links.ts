import type { CassetteEvent } from '../cassette/cassette.ts';
import { ResumedStreams } from '../cassette/correlate/resumed-streams.ts';
import type { Frame } from '../channel/frame.ts';

/** An event that cannot be played without another one, by position. */
interface ExchangeLink {
  event: number;
  other: number;
  /** The other one brings this one along, and may or may not be played without it. */
  brings?: boolean;
  isMutual?: boolean;
}

/**
 * Links the frames of exchanges over HTTP. All frames of a request's exchange belong to it, and so do the streams that resume it.
 * A stream to listen on carries what many requests brought about: its messages need it, and it brings none of them.
 */
export function* exchangeLinks(events: readonly CassetteEvent[]): Generator<ExchangeLink> {
  const conversations = new ResumedStreams();
  const openers = new Map<number, number>();
  /** Id of a server-sent event → its latest event. */
  const sent = new Map<string, number>();
  for (const [index, event] of events.entries()) {
    const { frame } = event;
    const { stream } = frame;
    if (stream === undefined) continue;
    conversations.pass(event);
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

/** What an exchange over HTTP is made of, beside what is said in it. */
const FRAMING: ReadonlySet<Frame['kind']> = new Set(['open', 'http-response', 'close']);
