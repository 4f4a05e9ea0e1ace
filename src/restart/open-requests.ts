import type { JsonText } from '../protocol/json-text.ts';
import { isRequest } from '../protocol/message.ts';
import { LISTEN } from '../protocol/method-table.ts';

/** Requests that a new server gets in place of the old one. Nothing of the session has followed from them yet. */
const ASKED_AGAIN: ReadonlySet<string> = new Set(['initialize', 'server/discover', LISTEN]);

/** Requests of the client that the server has not answered, by their ids as JSON tokens. */
export class OpenRequests {
  readonly #open = new Map<string, JsonText>();
  /** Ids of requests that failed because their server has ended. */
  readonly #failed = new Set<string>();

  add(id: string, request: JsonText): void {
    this.#open.set(id, request);
    this.#failed.delete(id);
  }

  /** Removes a request, and returns it. Undefined: no request with this id is open. */
  take(id: string): JsonText | undefined {
    const request = this.#open.get(id);
    this.#open.delete(id);
    return request;
  }

  /** Reports whether a request has failed. A new server does not know it. */
  hasFailed(id: string): boolean {
    return this.#failed.has(id);
  }

  /** Ends the requests that cannot be asked again. Returns their ids. */
  fail(): string[] {
    const ids = [...this.#open].flatMap(([id, { value }]) =>
      isRequest(value) && ASKED_AGAIN.has(value.method) ? [] : [id],
    );
    return this.#end(ids);
  }

  /** Ends the open requests among these. Returns the ids of the ended requests. */
  failOpen(ids: readonly string[]): string[] {
    return this.#end(ids.filter((id) => this.#open.has(id)));
  }

  /** Ends all requests. Returns their ids. */
  failAll(): string[] {
    return this.#end([...this.#open.keys()]);
  }

  /** Returns the open requests, which a new server has to answer. */
  left(): JsonText[] {
    return [...this.#open.values()];
  }

  #end(ids: string[]): string[] {
    for (const id of ids) {
      this.#open.delete(id);
      this.#failed.add(id);
    }
    return ids;
  }
}
