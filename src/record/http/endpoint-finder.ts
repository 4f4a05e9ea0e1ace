import { isObject } from '../../protocol/message.ts';
import { headerOf, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { HttpTrafficEvent, TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';

/** Maximum length of the first event of a stream. A longer one is no `endpoint` event. */
const FIRST_EVENT_MAX = 8 * 1024;

/**
 * Finds out whether an exchange is with an MCP endpoint: its client posts a JSON-RPC message, or its stream begins with
 * an `endpoint` event (2024-11-05, HTTP with SSE).
 */
export class EndpointFinder {
  readonly #bytesMax: number;
  readonly #method: string;
  readonly #isJson: boolean;
  #isStream = false;
  #length = 0;
  #data: Uint8Array[] = [];

  /** @param bytesMax maximum length of the message. Of a longer one, the beginning decides. */
  constructor({ method, headers }: TrafficEvent<'request'>, bytesMax: number) {
    this.#method = method;
    this.#isJson = mediaType(headerOf(headers, 'content-type')) === 'application/json';
    this.#bytesMax = bytesMax;
  }

  /** Takes the next event. Returns whether the exchange is with an endpoint. Undefined: later events decide. */
  take(piece: HttpTrafficEvent): boolean | undefined {
    if (piece.kind === 'gone') return false;
    if (this.#method === 'POST' && this.#isJson) return this.#takePosted(piece);
    return this.#method === 'GET' ? this.#takeStreamed(piece) : false;
  }

  /** Whether the beginning of the message looks like JSON-RPC. */
  get looksLikeEndpoint(): boolean {
    return this.#method === 'POST' && JSON_RPC.test(this.#text);
  }

  #takePosted(piece: HttpTrafficEvent): boolean | undefined {
    if (piece.kind === 'end' && piece.from === 'client') return isJsonRpc(this.#text);
    if (piece.kind !== 'data' || piece.from !== 'client') return undefined;
    this.#add(piece.data);
    return this.#length > this.#bytesMax ? JSON_RPC.test(this.#text) : undefined;
  }

  #takeStreamed(piece: HttpTrafficEvent): boolean | undefined {
    if (piece.kind === 'response') {
      this.#isStream = mediaType(headerOf(piece.headers, 'content-type')) === 'text/event-stream';
      return this.#isStream ? undefined : false;
    }
    if (piece.kind === 'end' && piece.from === 'server') return false;
    if (piece.kind !== 'data' || piece.from !== 'server') return undefined;
    this.#add(piece.data);
    const [, field, value] = FIRST_FIELD.exec(this.#text) ?? [];
    if (field !== undefined) return field === 'event' && value === 'endpoint';
    return this.#length > FIRST_EVENT_MAX ? false : undefined;
  }

  #add(data: Uint8Array): void {
    this.#length += data.length;
    this.#data.push(data);
  }

  get #text(): string {
    return Buffer.concat(this.#data).toString('utf8');
  }
}

/**
 * First complete field of an event stream that says what the event is, after comments, ids and times to reconnect. Each
 * round takes one line break, so that a stream of blank lines costs no more than its length.
 */
const FIRST_FIELD = /^(?:\ufeff)?(?:(?:(?:id|retry)?:[^\r\n]*)?[\r\n])*(event|data):? ?([^\r\n]*)[\r\n]/;
const JSON_RPC = /"jsonrpc"\s*:\s*"2\.0"/;

function isJsonRpc(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return (Array.isArray(value) ? value : [value]).some((message) => isObject(message) && message.jsonrpc === '2.0');
  } catch {
    return false;
  }
}
