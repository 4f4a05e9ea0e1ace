import { isNotification, isRequest } from '../protocol/message.ts';
import type { Cassette } from './cassette.ts';
import { eventsToEntries } from './split-batches-into-entries.ts';

/** Reports whether a request or notification of a cassette has this method. */
export function usesMethod(cassettes: readonly Pick<Cassette, 'events'>[], method: string): boolean {
  return cassettes.some(({ events }) =>
    eventsToEntries(events).some(
      ({ message }) => (isRequest(message) || isNotification(message)) && message.method === method,
    ),
  );
}
