import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { inferHttpSessions } from '../../cassette/correlate/infer-http-sessions.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import type { SseFields } from '../../channel/frame.ts';
import { protocolGeneration, type ResultOrError } from '../match/protocol-generation.ts';
import { planServer, type ReplayPlan } from '../plan/server-plan.ts';
import { listeningPrimer, recordedStreams } from '../prepare/playable-http-events.ts';

/** A cassette prepared for a mock server over HTTP. */
export interface HttpCassette {
  /** The cassette's name, for messages. */
  file: string;
  /** URL of the recorded endpoint. */
  url?: string;
  plan: ReplayPlan;
  /** Whether the cassette was written by hand. Missing answers are then inferred. */
  isHandWritten: boolean;
  /** Whether the cassette uses revision 2026-07-28 or later. */
  modern: boolean;
  /** Whether the server issues session ids. False from 2026-07-28 on, and for HTTP recordings without session ids. */
  hasSessions: boolean;
  /** Whether the server offers a listening stream (GET). False for HTTP recordings without one. */
  listens: boolean;
  /** First event of a resumable stream (2025-11-25, "Resumability and Redelivery"). */
  primer?: SseFields;
  /** Recorded response to a separate `server/discover`. */
  discovered?: ResultOrError;
}

/**
 * Prepares a cassette of any transport for HTTP. A recording of several HTTP sessions becomes one cassette per session.
 */
export function httpCassettes(cassette: Cassette, discovered?: ResultOrError): HttpCassette[] {
  const whole = httpCassette(cassette, discovered);
  if (cassette.header.transport === 'stdio' || !whole.hasSessions) return [whole];
  const entries = eventsToEntries(cassette.events);
  const sessions = inferHttpSessions(cassette.events, entries, correlateEntries(entries));
  const last = Math.max(0, ...sessions);
  if (last === 0) return [whole];
  return Array.from({ length: last + 1 }, (_, session) => {
    const events = cassette.events.filter((_, event) => sessions[event] === session);
    return httpCassette({ ...cassette, events }, discovered);
  });
}

/** Prepares a cassette of any transport for HTTP, as one session. */
export function httpCassette(cassette: Cassette, discovered?: ResultOrError): HttpCassette {
  const { file, header, events } = cassette;
  const isHttp = header.transport === 'http';
  // Lines outside the protocol cannot be sent over HTTP.
  const plan = planServer(isHttp ? recordedStreams(events) : events.filter(({ frame }) => frame.kind !== 'line'));
  const { modern } = protocolGeneration(plan.entries);
  // In HTTP with SSE a session is one stream, identified by its `endpoint` event.
  const issued = events.some(
    ({ frame }) => 'session' in frame || (frame.kind === 'sse' && frame.sse.event === 'endpoint'),
  );
  const hasSessions = !modern && (!isHttp || issued);
  const listens = hasSessions && (!isHttp || hasListened(cassette));
  const primer = listeningPrimer(events);
  const { url } = header;
  const known = { ...(primer && { primer }), ...(discovered && { discovered }), ...(isHttp && url && { url }) };
  const isHandWritten = header.recorder === undefined;
  return { file, plan, isHandWritten, modern, hasSessions, listens, ...known };
}

/** Reports whether the client opened a listening stream. A refused GET has a status. */
function hasListened({ events }: Cassette): boolean {
  const refused = new Set(
    events.map(({ frame }) => ('status' in frame && typeof frame.status === 'number' ? frame.stream : undefined)),
  );
  return events.some(({ frame }) => frame.kind === 'open' && frame.method === 'GET' && !refused.has(frame.stream));
}
