import type { Headers } from '../channel/frame.ts';
import { isRequest } from '../protocol/message.ts';
import type { MessageLog } from './message-log.ts';

const SESSION = 'mcp-session-id';

/** An exchange whose messages are written down. */
export interface HttpDelivery {
  /** Takes the header fields of the response. */
  answered(headers: Headers): void;
  /** Takes a message of the server. */
  said(value: unknown): void;
}

/** Which session an HTTP request belongs to: the server issues the id with its answer to `initialize`. */
export class HttpDeliveries {
  readonly #received: MessageLog;
  /** Session id → its number. */
  readonly #numbers = new Map<string, number>();
  #count = 0;

  constructor(received: MessageLog) {
    this.#received = received;
  }

  /** Begins an exchange: `value` is what the client posted; undefined: nothing. Names of headers are in lower case. */
  exchange(headers: Headers, value: unknown): HttpDelivery {
    const opens = [value].flat().some((one) => isRequest(one) && one.method === 'initialize');
    const session = opens ? ++this.#count : this.#numbers.get(headers[SESSION] ?? '');
    const delivery = { headers, ...(session !== undefined && { session }) };
    if (value !== undefined) this.#received.fromClient(value, delivery);
    return {
      answered: (fields) => {
        const id = fields[SESSION];
        if (opens && session !== undefined && id !== undefined) this.#numbers.set(id, session);
      },
      said: (message) => this.#received.fromServer(message, delivery),
    };
  }

  /** Begins to count anew. */
  reset(): void {
    this.#numbers.clear();
    this.#count = 0;
  }
}

/** What a body holds; undefined: it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
