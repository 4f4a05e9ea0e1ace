import type { JsonText } from '../protocol/json-text.ts';
import { isObject, isRequest, paramsOf } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';

/** Requests whose effect a server keeps, by method, each with the method that undoes the effect. */
const KEPT_CALLS: ReadonlyMap<string, string | undefined> = new Map([
  ['logging/setLevel', undefined],
  ['resources/subscribe', 'resources/unsubscribe'],
]);

/** Negotiated capabilities and settings of a session. A new server is brought to this state. */
export class SessionState {
  /** The client's `initialize` request. Undefined: no server has accepted it. */
  initialize: JsonText | undefined;
  /** Result of `initialize`, in the client's view. */
  told: Readonly<Record<string, unknown>> | undefined;
  /** Whether requests carry their own protocol version, as from 2026-07-28 on. Such a session has no handshake. */
  isModern = false;
  /** The client's `notifications/initialized`. */
  initialized: JsonText | undefined;
  /** Latest accepted request for each setting, by the setting's key. */
  readonly #calls = new Map<string, JsonText>();
  /** Notifications that the server has agreed to send on each open `subscriptions/listen` (2026-07-28), by its id. */
  readonly #listening = new Map<string, Readonly<Record<string, unknown>>>();

  /** Takes a request of the client. */
  asked({ value }: JsonText): void {
    this.isModern ||= metaOf(paramsOf(value))[META.protocolVersion] !== undefined;
  }

  /** Records an answer of the server to a request of the client. */
  answered(request: JsonText, answer: JsonText): void {
    const { value } = request;
    if (!isRequest(value)) return;
    if (!isObject(answer.value) || !isObject(answer.value.result)) return;
    if (value.method === 'initialize') {
      this.initialize = request;
      this.told = answer.value.result;
    }
    const { uri } = paramsOf(value);
    for (const [method, undo] of KEPT_CALLS) {
      const key = `${method} ${method === 'logging/setLevel' ? '' : uri}`;
      if (value.method === method) this.#calls.set(key, request);
      if (value.method === undo) this.#calls.delete(key);
    }
  }

  /** Takes a notification of the client. */
  notified(json: JsonText): void {
    if (isObject(json.value) && json.value.method === 'notifications/initialized') this.initialized = json;
  }

  /** Takes the acknowledgement of a `subscriptions/listen`. Returns whether it is the first one for this id. */
  acknowledged(id: string, json: JsonText): boolean {
    const { notifications } = paramsOf(json.value);
    const isFirst = !this.#listening.has(id);
    if (isFirst) this.#listening.set(id, isObject(notifications) ? notifications : {});
    return isFirst;
  }

  /** Takes the end of a `subscriptions/listen`. */
  ended(id: string): void {
    this.#listening.delete(id);
  }

  /** Notifications that the server agreed to send on each open `subscriptions/listen`, by subscription id. */
  get listening(): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
    return this.#listening;
  }

  /** Returns the requests that restore the session's settings on a new server. */
  calls(): JsonText[] {
    return [...this.#calls.values()];
  }
}

/** Returns the id of the subscription that a message belongs to, as a JSON token. */
export function subscriptionOf(json: JsonText): string | undefined {
  return scalarKeyAt(json, ['params', '_meta', META.subscriptionId]);
}
