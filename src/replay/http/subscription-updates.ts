import type { Move } from '../../cassette/correlate/session-entries.ts';
import { locate } from '../../protocol/json-scan.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { tokenAt } from '../../protocol/message-id.ts';
import { META } from '../../protocol/meta.ts';
import { LISTEN } from '../../protocol/methods.ts';
import { ownersOf } from '../plan/causes.ts';
import type { HttpTape } from './http-cassette.ts';

/** Identity of a `subscriptions/listen` → what everybody is told who made one like it. */
export type Told = ReadonlyMap<string, readonly Move[]>;

/** What a tape tells those who listen, by the requests that brought it about. */
export interface Changes {
  /** Identity of a request → what it brought about each time that it was made. */
  after: ReadonlyMap<string, readonly Told[]>;
  /** The moves that are told so, by their indexes. */
  moves: ReadonlySet<number>;
}

/** A live `subscriptions/listen`. */
export interface Listener {
  /** Its identity. */
  key: string;
  /** Its id, as JSON. */
  id: string;
}

/** @param keyOf tells the identity of a request */
export function changesOn({ score }: HttpTape, keyOf: (json: JsonText) => string): Changes {
  const { moves, links } = score;
  const brought = new Map<number, Map<number, Move[]>>();
  for (const [index, owner] of ownersOf(moves, links).entries()) {
    const { move: listen, after } = owner ?? {};
    if (listen === undefined || after === undefined || !isRequest(moves[after]!.message)) continue;
    const told = brought.get(after) ?? new Map<number, Move[]>();
    told.set(listen, [...(told.get(listen) ?? []), moves[index]!]);
    brought.set(after, told);
  }
  const after = new Map<string, Told[]>();
  for (const { index, from, json, message } of brought.size > 0 ? moves : []) {
    if (from !== 'client' || !isRequest(message)) continue;
    const key = keyOf(json!);
    const told = [...(brought.get(index) ?? [])].map(
      ([listen, said]) => [keyOf(moves[listen]!.json!), said] as const,
    );
    // Of several who listened alike each was told the same: the first stands for all.
    const one: Told = new Map(told.reverse());
    const alike = after.get(key);
    if (alike) alike.push(one);
    else after.set(key, [one]);
  }
  const all = [...brought.values()].flatMap((told) => [...told.values()].flat());
  return { after, moves: new Set(all.map(({ index }) => index)) };
}

/** Who listens with `json`; undefined: it asks for something else. */
export function listenerOf(json: JsonText, key: string): Listener | undefined {
  const { value } = json;
  return isRequest(value) && value.method === LISTEN ? { key, id: tokenAt(json, ['id'])! } : undefined;
}

/** What `move` says, as it is said to the listener with this id (2026-07-28, "Subscriptions"). */
export function addressed({ json }: Move, id: string): JsonText {
  const { text } = json!;
  const span = locate(text, ['params', '_meta', META.subscriptionId]);
  return span === undefined ? json! : new JsonText(text.slice(0, span.start) + id + text.slice(span.end));
}
