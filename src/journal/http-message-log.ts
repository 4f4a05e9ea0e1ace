import type { Headers } from '../channel/frame.ts';
import { isRequest } from '../protocol/message.ts';
import type { MessageLog } from './message-log.ts';

const SESSION = 'mcp-session-id';

/** HTTP exchange with logged messages. */
export interface LoggedExchange {
  /** Takes the header fields of the response. */
  addResponseHeaders(headers: Headers): void;
  /** Adds a message of the server. */
  addServerMessage(value: unknown): void;
}

/**
 * Log of the messages of HTTP exchanges, each with its session. The server issues the session id in its response to
 * `initialize`.
 */
export class HttpMessageLog {
  readonly #log: MessageLog;
  /** Session id → its number. */
  readonly #numbers = new Map<string, number>();
  #count = 0;

  constructor(log: MessageLog) {
    this.#log = log;
  }

  /** Starts an exchange. `value` is the client's parsed body, if any. Header names are in lower case. `status`: it was refused with this HTTP status. */
  startExchange(headers: Headers, value: unknown, status?: number): LoggedExchange {
    const isInitialize =
      status === undefined && [value].flat().some((one) => isRequest(one) && one.method === 'initialize');
    const session = isInitialize ? ++this.#count : this.#numbers.get(headers[SESSION] ?? '');
    const delivery = { headers, ...(session !== undefined && { session }), ...(status !== undefined && { status }) };
    if (value !== undefined) this.#log.addFromClient(value, delivery);
    return {
      addResponseHeaders: (fields) => {
        const id = fields[SESSION];
        if (isInitialize && session !== undefined && id !== undefined) this.#numbers.set(id, session);
      },
      addServerMessage: (message) => this.#log.addFromServer(message, delivery),
    };
  }

  /** Clears all sessions. Numbering restarts at 1. */
  reset(): void {
    this.#numbers.clear();
    this.#count = 0;
  }
}
