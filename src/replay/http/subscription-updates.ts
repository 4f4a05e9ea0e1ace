import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { isStream } from '../../protocol/method-rules.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { causesOf } from '../plan/causes.ts';
import type { HttpCassette } from './http-cassette.ts';

/** Identity of a request that opens a subscription to the notifications for its listeners. */
export type SubscriptionUpdate = ReadonlyMap<string, readonly SessionEntry[]>;

/** What a cassette tells those who listen, by the requests that brought it about. */
export interface SubscriptionUpdates {
  /** Identity of a request → what it brought about each time that it was made. */
  after: ReadonlyMap<string, readonly SubscriptionUpdate[]>;
  /** Indexes of these notifications. */
  entries: ReadonlySet<number>;
}

/** A live request that opens a subscription. */
export interface Listener {
  /** Its identity. */
  key: string;
  /** Its id, as JSON. */
  id: string;
}

/** @param keyOf tells the identity of a request */
export function subscriptionUpdates({ plan }: HttpCassette, keyOf: (json: JsonText) => string): SubscriptionUpdates {
  const { entries, links } = plan;
  const brought = new Map<number, Map<number, SessionEntry[]>>();
  for (const [index, owner] of causesOf(entries, links).entries()) {
    const { entry: listen, after } = owner ?? {};
    if (listen === undefined || after === undefined || !isRequest(entries[after]!.message)) continue;
    const told = brought.get(after) ?? new Map<number, SessionEntry[]>();
    told.set(listen, [...(told.get(listen) ?? []), entries[index]!]);
    brought.set(after, told);
  }
  const after = new Map<string, SubscriptionUpdate[]>();
  for (const { index, from, json, message } of brought.size > 0 ? entries : []) {
    if (from !== 'client' || !isRequest(message)) continue;
    const key = keyOf(json!);
    const told = [...(brought.get(index) ?? [])].map(
      ([listen, said]) => [keyOf(entries[listen]!.json!), said] as const,
    );
    // Equal listeners received equal notifications, so the first stands for all.
    const one: SubscriptionUpdate = new Map(told.reverse());
    const alike = after.get(key);
    if (alike) alike.push(one);
    else after.set(key, [one]);
  }
  const all = [...brought.values()].flatMap((told) => [...told.values()].flat());
  return { after, entries: new Set(all.map(({ index }) => index)) };
}

/** Who listens with `json`; undefined: it asks for something else. */
export function listenerOf(json: JsonText, key: string): Listener | undefined {
  const { value } = json;
  return isRequest(value) && isStream(value.method) ? { key, id: scalarKeyAt(json, ['id'])! } : undefined;
}

/** What `move` says, as it is said to the listener with this id (2026-07-28, "Subscriptions"). */
export function addressed({ json }: SessionEntry, id: string): JsonText {
  const { text } = json!;
  const span = locate(text, ['params', '_meta', META.subscriptionId]);
  return span === undefined ? json! : new JsonText(text.slice(0, span.start) + id + text.slice(span.end));
}
