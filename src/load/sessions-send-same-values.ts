import type { Cassette } from '../cassette/cassette.ts';
import { eventsToEntries } from '../cassette/split-batches-into-entries.ts';
import { isRequest } from '../protocol/message.ts';

/**
 * Reports whether all sessions of cassettes send the same requests with the same values. If a server mixes up answers
 * of such clients, every answer still matches its recording.
 */
export function sendSameValues(cassettes: readonly Pick<Cassette, 'events'>[]): boolean {
  return new Set(cassettes.flatMap(sessionsOf)).size <= 1;
}

/** Returns the requests of each session, as text. Each `initialize` starts a session. */
function sessionsOf({ events }: Pick<Cassette, 'events'>): string[] {
  const sessions: string[] = [];
  for (const { from, message } of eventsToEntries(events)) {
    if (from !== 'client' || !isRequest(message)) continue;
    const { method, params = {} } = message;
    if (sessions.length === 0 || method === 'initialize') sessions.push('');
    if (method !== 'initialize') sessions[sessions.length - 1] += `${JSON.stringify([method, params])}\n`;
  }
  return sessions;
}
