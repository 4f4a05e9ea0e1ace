import { withTextAt } from '../../channel/replace-json-at-path.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';

const ID: JsonPath = ['id'];
const CANCELLED: JsonPath = ['params', 'requestId'];
const MINTED_TOKEN: JsonPath = ['params', '_meta', 'progressToken'];
const TOKEN: JsonPath = ['params', 'progressToken'];

/**
 * Translates ids and progress tokens of requests from the servers of one session, which restart under their client.
 * Each server counts from its own start, so requests of a later server get numbers that the client has not seen.
 * Messages of the first server pass unchanged.
 */
export class ServerRequestIds {
  /** Ids and tokens that the client has seen, as JSON tokens. */
  readonly #used = new Set<string>();
  #next = 0;
  #isFirst = true;
  /** Ids and tokens of earlier servers. */
  readonly #gone = new Set<string>();
  /** Open requests of the current server: the server's id, by the id sent to the client. */
  #open = new Map<string, string>();
  /** The server's progress tokens, by the token sent to the client. */
  #tokens = new Map<string, string>();

  /** Notes the end of the server. Returns the ids of its open requests, as sent to the client. */
  replace(): string[] {
    const open = [...this.#open.keys()];
    for (const id of this.#used) this.#gone.add(id);
    this.#open = new Map();
    this.#tokens = new Map();
    this.#isFirst = false;
    return open;
  }

  /** Translates a message of the server for the client. */
  toClient(json: JsonText): JsonText {
    const { value } = json;
    if (isRequest(value)) return this.#request(json);
    if (!isNotification(value) || value.method !== 'notifications/cancelled') return json;
    const cancelled = scalarKeyAt(json, CANCELLED) ?? '';
    const [seen] = [...this.#open].find(([, own]) => own === cancelled) ?? [];
    if (seen === undefined) return json;
    this.#open.delete(seen);
    return withTextAt(json, CANCELLED, seen);
  }

  /**
   * Translates a message of the client for the server. Returns undefined for a message about a request of an earlier
   * server.
   */
  toServer(json: JsonText): JsonText | undefined {
    const { value } = json;
    if (isResponse(value)) {
      const id = scalarKeyAt(json, ID);
      if (id === undefined) return json;
      const own = this.#open.get(id);
      this.#open.delete(id);
      if (own !== undefined) return withTextAt(json, ID, own);
      return this.#gone.has(id) ? undefined : json;
    }
    if (!isNotification(value) || value.method !== 'notifications/progress') return json;
    const token = scalarKeyAt(json, TOKEN) ?? '';
    const own = this.#tokens.get(token);
    if (own !== undefined) return withTextAt(json, TOKEN, own);
    return this.#gone.has(token) ? undefined : json;
  }

  #request(json: JsonText): JsonText {
    const id = scalarKeyAt(json, ID)!;
    const token = scalarKeyAt(json, MINTED_TOKEN);
    const seen = this.#isFirst ? id : this.#number();
    const seenToken = this.#isFirst ? token : seen;
    this.#used.add(seen);
    this.#open.set(seen, id);
    const renamed = seen === id ? json : withTextAt(json, ID, seen);
    if (token === undefined || seenToken === undefined) return renamed;
    this.#used.add(seenToken);
    this.#tokens.set(seenToken, token);
    return seenToken === token ? renamed : withTextAt(renamed, MINTED_TOKEN, seenToken);
  }

  #number(): string {
    while (this.#used.has(String(this.#next))) this.#next++;
    return String(this.#next++);
  }
}
