import type { Cassette, EventMatch } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { ListMap } from '../cassette/correlate/list-map.ts';
import { eventsToEntries, type SessionEntry } from '../cassette/split-batches-into-entries.ts';
import type { MessageFrame } from '../channel/frame.ts';
import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest } from '../protocol/message.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';

/**
 * Returns a function that finds the rules of a cassette (`match`) for the messages of a session that repeats it: requests
 * of the client and their answers by id, other messages by their order. It takes the messages in the order in which they
 * pass.
 */
export function playedRules({ events }: Cassette): (message: MessageFrame) => EventMatch | undefined {
  const entries = eventsToEntries(events);
  const { answerOf } = correlateEntries(entries);
  const waiting = new ListMap<string, SessionEntry>();
  for (const entry of entries) {
    const key = entry.json && keyOf(entry.from, entry.json);
    if (key !== undefined) waiting.add(key, entry);
  }
  /** Recorded requests without an answer so far, by the side that sent them and the id of the session. */
  const open = new Map<string, SessionEntry>();
  const ruleOf = (from: MessageFrame['from'], json: JsonText): EventMatch | undefined => {
    const id = scalarKeyAt(json, ['id']);
    const key = keyOf(from, json);
    if (key === undefined) {
      const request = open.get(`${from === 'client' ? 'server' : 'client'} ${id}`);
      return request && entries[answerOf.get(request.index) ?? -1]?.match;
    }
    const entry = waiting.get(key)?.shift();
    if (entry && id !== undefined) open.set(`${from} ${id}`, entry);
    return entry?.match;
  };
  return ({ from, json }) => {
    const rules = elementsOf(json).map((element) => ruleOf(from, element));
    return rules.find((rule) => rule !== undefined);
  };
}

/** Returns a key for requests and notifications. A recorded client keeps the ids of its requests. Undefined: it is an answer. */
function keyOf(from: MessageFrame['from'], json: JsonText): string | undefined {
  const { value } = json;
  if (isRequest(value)) return from === 'client' ? `client ${scalarKeyAt(json, ['id'])}` : `server ${value.method}`;
  return isNotification(value) ? `${from} ${value.method}` : undefined;
}
