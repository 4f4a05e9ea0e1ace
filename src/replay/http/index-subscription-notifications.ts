import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { isStream } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { causesOf } from '../plan/causes.ts';
import type { HttpCassette } from './http-cassette.ts';

/** Notifications for subscriptions, by identity of the subscription request. */
export type SubscriptionUpdate = ReadonlyMap<string, readonly SessionEntry[]>;

/** Notifications to subscribers in a cassette, by the request that caused them. */
export interface SubscriptionUpdates {
  /** Notifications after each occurrence of a request, by request identity. */
  after: ReadonlyMap<string, readonly SubscriptionUpdate[]>;
  /** Indexes of these notifications. */
  entries: ReadonlySet<number>;
}

/** A live request that opens a subscription. */
export interface Listener {
  /** Identity of the request. */
  key: string;
  /** Id of the request, as JSON. */
  id: string;
}

/**
 * Returns the subscription notifications of a cassette.
 * @param keyOf returns the identity of a request
 */
export function subscriptionUpdates({ plan }: HttpCassette, keyOf: (json: JsonText) => string): SubscriptionUpdates {
  const { entries, links } = plan;
  const brought = new Map<number, ListMap<number, SessionEntry>>();
  for (const [index, owner] of causesOf(entries, links).entries()) {
    const { entry: listen, after } = owner ?? {};
    if (listen === undefined || after === undefined || !isRequest(entries[after]!.message)) continue;
    const told = brought.get(after) ?? new ListMap<number, SessionEntry>();
    told.add(listen, entries[index]!);
    brought.set(after, told);
  }
  const after = new ListMap<string, SubscriptionUpdate>();
  for (const { index, from, json, message } of brought.size > 0 ? entries : []) {
    if (from !== 'client' || !isRequest(message)) continue;
    const key = keyOf(json!);
    const told = [...(brought.get(index) ?? [])].map(
      ([listen, said]) => [keyOf(entries[listen]!.json!), said] as const,
    );
    // Equal subscriptions received equal notifications, so the first represents all.
    after.add(key, new Map(told.reverse()));
  }
  const all = [...brought.values()].flatMap((told) => [...told.values()].flat());
  return { after, entries: new Set(all.map(({ index }) => index)) };
}

/** Returns the subscription that `json` opens, or `undefined` for other requests. */
export function listenerOf(json: JsonText, key: string): Listener | undefined {
  const { value } = json;
  return isRequest(value) && isStream(value.method) ? { key, id: scalarKeyAt(json, ['id'])! } : undefined;
}

/** Returns a recorded notification, addressed to the subscription with this id (2026-07-28, "Subscriptions"). */
export function addressed({ json }: SessionEntry, id: string): JsonText {
  const { text } = json!;
  const span = locate(text, ['params', '_meta', META.subscriptionId]);
  return span === undefined ? json! : new JsonText(text.slice(0, span.start) + id + text.slice(span.end));
}
