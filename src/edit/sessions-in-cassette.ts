import type { Cassette, CassetteEvent } from '../cassette/cassette.ts';
import { inferHttpSessions } from '../cassette/correlate/infer-http-sessions.ts';
import { closureOf, type EventLinks } from './event-dependencies.ts';

/** The sessions of a cassette. Over stdio there is one. Over HTTP each answered `initialize` starts a session. */
export interface SessionSections {
  count: number;
  /** Session of each event, from 0. */
  of: readonly number[];
  /** Handshake events of each session. */
  handshakes: readonly ReadonlySet<number>[];
  /** Events that start, carry or end each session, and the events caused by them, without the calls in between. */
  frames: readonly ReadonlySet<number>[];
}

/** Assigns the events of a cassette to sessions. */
export function sessionSections({ events, header }: Cassette, eventLinks: EventLinks): SessionSections {
  const { entries, links } = eventLinks;
  const of = header.transport === 'http' ? inferHttpSessions(events, entries, links) : events.map(() => 0);
  const count = Math.max(0, ...of) + 1;
  const handshakes = Array.from({ length: count }, () => new Set<number>());
  const frames = Array.from({ length: count }, () => new Set<number>());
  for (const { event, from, message } of entries) {
    const method = from === 'client' && message !== undefined && 'method' in message ? message.method : '';
    if (HANDSHAKE.has(method)) handshakes[of[event]!]!.add(event);
  }
  for (const event of eventLinks.unasked) frames[of[event]!]!.add(event);
  for (const [event, { frame }] of events.entries()) if (isOfSession(frame)) frames[of[event]!]!.add(event);
  return {
    count,
    of,
    handshakes: handshakes.map((begun) => closureOf(eventLinks.needs, begun)),
    frames: frames.map((begun, session) => closureOf(eventLinks.belongings, [...begun, ...handshakes[session]!])),
  };
}

const HANDSHAKE: ReadonlySet<string> = new Set(['initialize', 'notifications/initialized', 'server/discover']);

/**
 * Reports whether a frame opens a new listening stream, authorizes the client, or ends the session on the client's side.
 */
function isOfSession(frame: CassetteEvent['frame']): boolean {
  if (frame.kind === 'open') return frame.resumes === undefined;
  if (frame.kind === 'authorization') return true;
  return frame.kind === 'signal' || (frame.kind === 'close' && frame.from === 'client' && frame.stream === undefined);
}
