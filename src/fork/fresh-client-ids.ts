import type { SessionEntry } from '../cassette/split-batches-into-entries.ts';
import { withTextAt } from '../channel/replace-json-at-path.ts';
import type { JsonPath } from '../protocol/json-scan.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { META } from '../protocol/meta.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';

const ID: JsonPath = ['id'];
const MINTED_TOKEN: JsonPath = ['params', '_meta', 'progressToken'];
const TOKEN: JsonPath = ['params', 'progressToken'];
const CANCELLED: JsonPath = ['params', 'requestId'];
const SUBSCRIPTION: JsonPath = ['params', '_meta', META.subscriptionId];
const ENDED_SUBSCRIPTION: JsonPath = ['result', '_meta', META.subscriptionId];

/** Ids and progress tokens of a live client, as JSON tokens, by the recorded client's tokens. */
export interface BegunBefore {
  subscriptions: ReadonlyMap<string, string>;
  tokens: ReadonlyMap<string, string>;
}

/**
 * Ids and progress tokens of a live client that takes over a session. A requestor may use an id once in a session
 * (MCP, "Requests"), and the recorded client has used the first ones. So each request of the live client gets a new
 * number, which is also its progress token.
 */
export class FreshClientIds {
  /** Ids and tokens of the recorded client, as JSON tokens. */
  readonly #used: ReadonlySet<string>;
  #next = 0;
  /** The live client's id of each open request, by its number. */
  readonly #ids = new Map<string, string>();
  /** Number of the latest request with an id of the live client. */
  readonly #numbers = new Map<string, string>();
  /** The live client's progress tokens, by number. A task reports progress after the answer. */
  readonly #tokens = new Map<string, string>();
  /** Ids of the server's open requests. */
  readonly #asked = new Set<string>();

  /** Takes the entries that the recorded client has played. */
  constructor(played: readonly SessionEntry[]) {
    const used = played.flatMap(({ from, json }) =>
      from === 'client' && json !== undefined ? [scalarKeyAt(json, ID), scalarKeyAt(json, MINTED_TOKEN)] : [],
    );
    this.#used = new Set(used.filter((token) => token !== undefined));
  }

  /**
   * Takes what the live client has begun while a recorded server answered it, and the recorded client with the live
   * server: its ids of open subscriptions, and its progress tokens, each by the recorded one.
   */
  adopt({ subscriptions, tokens }: BegunBefore): void {
    for (const [recorded, own] of subscriptions) {
      this.#ids.set(recorded, own);
      this.#numbers.set(own, recorded);
    }
    for (const [recorded, own] of tokens) this.#tokens.set(recorded, own);
  }

  /** Rewrites a message of the live client for the server. Undefined: the message cancels an unknown request. */
  toServer(json: JsonText): JsonText | undefined {
    const { value } = json;
    if (isRequest(value)) return this.#request(json);
    if (isResponse(value)) this.#asked.delete(scalarKeyAt(json, ID) ?? '');
    if (!isNotification(value) || value.method !== 'notifications/cancelled') return json;
    return withToken(json, CANCELLED, this.#numbers);
  }

  /** Returns a message of the server as the live client gets it. Undefined: it belongs to a request of the recorded client. */
  toClient(json: JsonText): JsonText | undefined {
    const { value } = json;
    if (isRequest(value)) this.#asked.add(scalarKeyAt(json, ID)!);
    if (isResponse(value)) return this.#response(json);
    if (!isNotification(value)) return json;
    if (value.method === 'notifications/progress') return withToken(json, TOKEN, this.#tokens);
    if (value.method === 'notifications/cancelled') {
      // This cancellation concerns a request of the server itself. From 2026-07-28 on, servers have no requests, and
      // the cancellation ends a subscription of the client.
      const isOwn = this.#asked.has(scalarKeyAt(json, CANCELLED) ?? '');
      return isOwn ? json : withToken(json, CANCELLED, this.#ids);
    }
    return scalarKeyAt(json, SUBSCRIPTION) === undefined ? json : withToken(json, SUBSCRIPTION, this.#ids);
  }

  #request(json: JsonText): JsonText {
    const number = this.#number();
    const id = scalarKeyAt(json, ID)!;
    this.#ids.set(number, id);
    this.#numbers.set(id, number);
    const token = scalarKeyAt(json, MINTED_TOKEN);
    if (token === undefined) return withTextAt(json, ID, number);
    this.#tokens.set(number, token);
    return withTextAt(withTextAt(json, MINTED_TOKEN, number), ID, number);
  }

  #response(json: JsonText): JsonText | undefined {
    const id = scalarKeyAt(json, ID);
    // An error response to an unparseable line has no id.
    if (id === undefined) return json;
    const own = this.#ids.get(id);
    if (own === undefined) return undefined;
    this.#ids.delete(id);
    const isSubscription = scalarKeyAt(json, ENDED_SUBSCRIPTION) === id;
    const named = isSubscription ? withTextAt(json, ENDED_SUBSCRIPTION, own) : json;
    return withTextAt(named, ID, own);
  }

  #number(): string {
    while (this.#used.has(String(this.#next))) this.#next++;
    return String(this.#next++);
  }
}

/** Replaces the token at `path` of a message. Undefined: `tokens` lacks the token. */
function withToken(json: JsonText, path: JsonPath, tokens: ReadonlyMap<string, string>): JsonText | undefined {
  const token = tokens.get(scalarKeyAt(json, path) ?? '');
  return token === undefined ? undefined : withTextAt(json, path, token);
}
