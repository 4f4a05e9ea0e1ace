import type { ResponseFrame } from '../../../channel/frame.ts';
import { elementsOf, type JsonText } from '../../../protocol/json-text.ts';
import { isNotification, isObject, isRequest, isResponse } from '../../../protocol/message.ts';
import { scalarKeyAt } from '../../../protocol/scalar-key.ts';
import { headerOf } from '../http1/raw-headers.ts';
import { type ParamHeaders, paramHeadersOf } from '../mcp-headers/param-headers.ts';
import type { Standing } from '../mcp-headers/request-headers.ts';
import type { Head } from './client-exchange.ts';

/** Client's session with one server: the state that header fields depend on. */
export class ClientSession<Line extends object> implements Standing {
  session: string | undefined;
  revision: string | undefined;
  isLegacySse = false;
  readonly params: Map<string, ParamHeaders> = new Map();
  /** Ids of open requests, as JSON tokens → the method and the exchange of each. */
  readonly #open = new Map<string, { method: string; line: Line }>();

  /** POSTed notifications and responses, by exchange. */
  readonly #notifications = new WeakMap<Line, JsonText>();

  /** Records messages sent on `line`. `initialize` starts a new session. */
  ask(json: JsonText, line: Line): void {
    this.#notifications.set(line, json);
    for (const each of elementsOf(json)) {
      const { value } = each;
      if (!isRequest(value)) continue;
      this.#notifications.delete(line);
      this.#open.set(scalarKeyAt(each, ['id'])!, { method: value.method, line });
      if (value.method !== 'initialize') continue;
      this.session = undefined;
      this.revision = undefined;
    }
  }

  /** Returns the notification or response that was sent on `line`. Empty: a request was sent. */
  posted(line: Line): { posted?: JsonText } {
    const posted = this.#notifications.get(line);
    return posted === undefined ? {} : { posted };
  }

  /** Records messages of the server. */
  hear(json: JsonText): void {
    for (const each of elementsOf(json)) {
      const { value } = each;
      const id = isResponse(value) ? scalarKeyAt(each, ['id']) : undefined;
      const asked = this.#open.get(id ?? '');
      if (id === undefined || asked === undefined || !isResponse(value)) continue;
      this.#open.delete(id);
      if (asked.method === 'initialize') this.#negotiated(value.result);
      if (asked.method !== 'tools/list') continue;
      for (const [tool, headers] of paramHeadersOf(value.result)) this.params.set(tool, headers);
    }
  }

  /** Records the response to `initialize`. */
  issued({ status, headers }: Head): void {
    if (status < 300) this.session = headerOf(headers, 'mcp-session-id');
  }

  /**
   * Reports whether a response only accepts a message without requests. Over HTTP with SSE, every response to a POST
   * does.
   */
  isAccepted({ status, body }: ResponseFrame, line: Line): boolean {
    if (typeof status !== 'number' || status < 200 || status >= 300) return false;
    return this.isLegacySse || (body === undefined && this.open(line).length === 0);
  }

  /** Reports whether a message answers an open request. */
  isAnswer(json: JsonText): boolean {
    return isResponse(json.value) && this.#open.has(scalarKeyAt(json, ['id']) ?? '');
  }

  /** Returns the ids of open requests: all, or those sent on `line`. */
  open(line?: Line): string[] {
    return [...this.#open].filter(([, asked]) => line === undefined || asked.line === line).map(([id]) => id);
  }

  /** Returns the exchange of the open request that `json` cancels. Undefined: it cancels none. */
  cancelledBy(json: JsonText): Line | undefined {
    const { value } = json;
    if (!isNotification(value) || value.method !== 'notifications/cancelled') return undefined;
    return this.#open.get(scalarKeyAt(json, ['params', 'requestId']) ?? '')?.line;
  }

  /** Removes requests that will never be answered. */
  giveUp(ids: readonly string[]): void {
    for (const id of ids) this.#open.delete(id);
  }

  #negotiated(result: unknown): void {
    const revision = isObject(result) ? result.protocolVersion : undefined;
    if (typeof revision === 'string') this.revision = revision;
  }
}
