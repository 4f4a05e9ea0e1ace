import type { ResponseFrame } from '../../../channel/frame.ts';
import { elementsOf, type JsonText } from '../../../protocol/json-text.ts';
import { isNotification, isObject, isRequest, isResponse } from '../../../protocol/message.ts';
import { scalarKeyAt } from '../../../protocol/scalar-key.ts';
import { headerOf } from '../http1/raw-headers.ts';
import { type ParamHeaders, paramHeadersOf } from '../mcp-headers/param-headers.ts';
import type { Standing } from '../mcp-headers/request-headers.ts';
import type { Head } from './client-exchange.ts';

/** A client's session with one server, as far as it shows in headers: what the server has issued and answered. */
export class ClientSession<Line> implements Standing {
  session: string | undefined;
  revision: string | undefined;
  isLegacySse = false;
  readonly params: Map<string, ParamHeaders> = new Map();
  /** Id of a request without its answer, as a JSON token → what it asked, and what carried it. */
  readonly #open = new Map<string, { method: string; line: Line }>();

  /** The client says this on `line`. A session begins anew with `initialize`. */
  ask(json: JsonText, line: Line): void {
    for (const each of elementsOf(json)) {
      const { value } = each;
      if (!isRequest(value)) continue;
      this.#open.set(scalarKeyAt(each, ['id'])!, { method: value.method, line });
      if (value.method !== 'initialize') continue;
      this.session = undefined;
      this.revision = undefined;
    }
  }

  /** The server says this. */
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

  /** The server answers `initialize`. */
  issued({ status, headers }: Head): void {
    if (status < 300) this.session = headerOf(headers, 'mcp-session-id');
  }

  /** Whether this accepts what asked for nothing. Over HTTP with SSE every POST is only accepted. */
  isAccepted({ status, body }: ResponseFrame, line: Line): boolean {
    if (typeof status !== 'number' || status < 200 || status >= 300) return false;
    return this.isLegacySse || (body === undefined && this.open(line).length === 0);
  }

  /** Whether this answers something that was asked. */
  isAnswer(json: JsonText): boolean {
    return isResponse(json.value) && this.#open.has(scalarKeyAt(json, ['id']) ?? '');
  }

  /** The requests that still wait for their answer: all, or those that `line` carried. */
  open(line?: Line): string[] {
    return [...this.#open].filter(([, asked]) => line === undefined || asked.line === line).map(([id]) => id);
  }

  /** What carried the open request that `json` cancels, if it cancels one. */
  cancelledBy(json: JsonText): Line | undefined {
    const { value } = json;
    if (!isNotification(value) || value.method !== 'notifications/cancelled') return undefined;
    return this.#open.get(scalarKeyAt(json, ['params', 'requestId']) ?? '')?.line;
  }

  /** Nobody will answer these any more. */
  giveUp(ids: readonly string[]): void {
    for (const id of ids) this.#open.delete(id);
  }

  #negotiated(result: unknown): void {
    const revision = isObject(result) ? result.protocolVersion : undefined;
    if (typeof revision === 'string') this.revision = revision;
  }
}
