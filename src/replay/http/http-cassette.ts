import type { Cassette } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { inferHttpSessions } from '../../cassette/correlate/infer-http-sessions.ts';
import { entriesOf } from '../../cassette/correlate/session-entries.ts';
import type { SseFields } from '../../channel/frame.ts';
import { protocolGeneration, type ResultOrError } from '../match/protocol-generation.ts';
import { planServer, type ReplayPlan } from '../plan/server-plan.ts';
import { listeningPrimer, recordedStreams } from './recorded-streams.ts';

/** A cassette as a mock server over HTTP plays it. */
export interface HttpCassette {
  /** The cassette's name, for messages. */
  file: string;
  plan: ReplayPlan;
  /** No recorder wrote the cassette: absent answers are inferred. */
  isHandWritten: boolean;
  /** It is of 2026-07-28 or later. */
  modern: boolean;
  /** Its server issues session ids: not from 2026-07-28 on, and not where it was recorded over HTTP and issued none. */
  hasSessions: boolean;
  /** Its server offers a stream to listen on (GET): not where it was recorded over HTTP and did not show one. */
  listens: boolean;
  /** First event of a resumable stream (2025-11-25, "Resumability and Redelivery"). */
  primer?: SseFields;
  /** Recorded answer to discovery alone. */
  discovered?: ResultOrError;
}

/** Makes a cassette, of any transport, ready for HTTP: each of its sessions by itself, where the recorded server told them apart. */
export function httpCassettes(cassette: Cassette, discovered?: ResultOrError): HttpCassette[] {
  const whole = httpCassette(cassette, discovered);
  if (cassette.header.transport === 'stdio' || !whole.hasSessions) return [whole];
  const entries = entriesOf(cassette.events);
  const sessions = inferHttpSessions(cassette.events, entries, correlateEntries(entries));
  const last = Math.max(0, ...sessions);
  if (last === 0) return [whole];
  return Array.from({ length: last + 1 }, (_, session) => {
    const events = cassette.events.filter((_, event) => sessions[event] === session);
    return httpCassette({ ...cassette, events }, discovered);
  });
}

/** Makes a cassette, of any transport, ready for HTTP as one session. */
export function httpCassette(cassette: Cassette, discovered?: ResultOrError): HttpCassette {
  const { file, header, events } = cassette;
  const isHttp = header.transport === 'http';
  // What a process prints beside its messages has no place over HTTP.
  const plan = planServer(isHttp ? recordedStreams(events) : events.filter(({ frame }) => frame.kind !== 'line'));
  const { modern } = protocolGeneration(plan.entries);
  // Over HTTP with SSE a session is a stream, whose endpoint stands for it.
  const issued = events.some(
    ({ frame }) => 'session' in frame || (frame.kind === 'sse' && frame.sse.event === 'endpoint'),
  );
  const hasSessions = !modern && (!isHttp || issued);
  const listens = hasSessions && (!isHttp || hasListened(cassette));
  const primer = listeningPrimer(events);
  const known = { ...(primer && { primer }), ...(discovered && { discovered }) };
  const isHandWritten = header.recorder === undefined;
  return { file, plan, isHandWritten, modern, hasSessions, listens, ...known };
}

/** What refuses a stream has a status. */
function hasListened({ events }: Cassette): boolean {
  const refused = new Set(
    events.map(({ frame }) => ('status' in frame && typeof frame.status === 'number' ? frame.stream : undefined)),
  );
  return events.some(({ frame }) => frame.kind === 'open' && frame.method === 'GET' && !refused.has(frame.stream));
}
