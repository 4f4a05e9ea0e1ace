import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { Side } from '../../channel/frame.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { isNotification, isRequest, paramsOf } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { isStream } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { type EventLinks, repeatedAnswers } from '../event-dependencies.ts';
import type { TokenChange } from '../scalar-edits.ts';

/** Position of a token in a cassette's messages. */
interface Mention {
  entry: number;
  path: JsonPath;
}

const ID: JsonPath = ['id'];
const PROGRESS_TOKEN: JsonPath = ['params', '_meta', 'progressToken'];

/** Used ids or progress tokens of a merged session, by side. */
type UsedTokens = Record<Side, Set<string>>;

/** Ids and progress tokens of a merged session. Tokens used by an earlier cassette are replaced. */
export class FreshRequestIds {
  readonly #ids: UsedTokens = { client: new Set(), server: new Set() };
  readonly #progressTokens: UsedTokens = { client: new Set(), server: new Set() };
  #highest = 0;
  /** Number of requests with a new id. */
  renumbered = 0;

  /** Adds the kept requests of a further cassette. Returns the changes of its messages, by event. */
  add(links: EventLinks, isKept: (event: number) => boolean): Map<number, TokenChange[]> {
    const { entries } = links;
    const requests = entries.flatMap(({ event, index, from, json, message }) => {
      if (json === undefined || !isRequest(message) || !isKept(event)) return [];
      const [id, token] = [scalarKeyAt(json, ID), scalarKeyAt(json, PROGRESS_TOKEN)];
      for (const one of [id, token]) this.#highest = Math.max(this.#highest, Number(one) || 0);
      return [{ index, from, id, token, isListen: isStream(message.method) }];
    });
    const mentions = mentionsOf(links);
    const changes = new ListMap<number, TokenChange>();
    const change = ({ entry, path }: Mention, token: string) => {
      const { event } = entries[entry]!;
      if (isKept(event)) changes.add(event, { path: [...placeInBatch(links, entry), ...path], token });
    };
    const ofThis: { used: Set<string>; token: string }[] = [];
    const replaced = (used: Set<string>, token: string | undefined) => {
      if (token === undefined) return undefined;
      const fresh = used.has(token) ? this.#freshFor(token) : undefined;
      ofThis.push({ used, token: fresh ?? token });
      return fresh;
    };
    for (const { index, from, id, token, isListen } of requests) {
      const freshId = replaced(this.#ids[from], id);
      if (freshId !== undefined) {
        this.renumbered++;
        change({ entry: index, path: ID }, freshId);
        for (const mention of mentions.get(index) ?? []) change(mention, freshId);
        if (isListen) for (const mention of subscriptionMentions(id!, links)) change(mention, freshId);
      }
      const freshToken = replaced(this.#progressTokens[from], token);
      if (freshToken === undefined) continue;
      change({ entry: index, path: PROGRESS_TOKEN }, freshToken);
      for (const entry of links.links.progressOf.get(index) ?? [])
        change({ entry, path: ['params', 'progressToken'] }, freshToken);
    }
    // Noted last, because a cassette may use the same id several times.
    for (const { used, token } of ofThis) used.add(token);
    return changes;
  }

  /** Returns an unused token of the same type. */
  #freshFor(token: string): string {
    const fresh = String(++this.#highest);
    return token.startsWith('"') ? JSON.stringify(`${JSON.parse(token)}-${fresh}`) : fresh;
  }
}

/** Returns the position of an entry in its batch. */
function placeInBatch({ entries }: EventLinks, entry: number): JsonPath {
  const { event, frame } = entries[entry]!;
  if (frame.kind !== 'message' || !Array.isArray(frame.json.value)) return [];
  let first = entry;
  while (entries[first - 1]?.event === event) first--;
  return [entry - first];
}

/** Returns the positions of a request's id in other messages, by request. */
function mentionsOf({ entries, links }: EventLinks): Map<number, Mention[]> {
  const mentions = new ListMap<number, Mention>();
  for (const [request, entry] of links.answerOf) mentions.add(request, { entry, path: ID });
  for (const [entry, request] of repeatedAnswers(entries, links)) mentions.add(request, { entry, path: ID });
  for (const [entry, request] of links.cancelledRequestOf)
    mentions.add(request, { entry, path: ['params', 'requestId'] });
  return mentions;
}

const SUBSCRIPTION: readonly JsonPath[] = [
  ['params', '_meta', META.subscriptionId],
  ['result', '_meta', META.subscriptionId],
];

/** Returns the positions where the server names the subscription with this id (2026-07-28). */
function subscriptionMentions(id: string, { entries, links }: EventLinks): Mention[] {
  return entries.flatMap(({ index, from, json, message }) => {
    if (from === 'client' || json === undefined) return [];
    const isCancel = isNotification(message) && message.method === 'notifications/cancelled';
    const isOfServer = isCancel && !links.cancelledRequestOf.has(index) && 'requestId' in paramsOf(message);
    const paths = [...SUBSCRIPTION, ...(isOfServer ? [['params', 'requestId']] : [])];
    return paths.filter((path) => scalarKeyAt(json, path) === id).map((path) => ({ entry: index, path }));
  });
}
