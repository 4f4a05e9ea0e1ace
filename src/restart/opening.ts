import { withTextAt } from '../channel/replace-json-at-path.ts';
import type { JsonText } from '../protocol/json-text.ts';
import { errorOf, isNotification, isRequest, isResponse, resultOf } from '../protocol/message.ts';
import { LISTEN } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import { type SessionState, subscriptionOf } from './session-state.ts';
import { toldDifferences } from './told-differences.ts';

/** Reaction to an answer of a new server during the opening. */
export interface OpeningStep {
  /** Messages to send to the server. */
  server: JsonText[];
  /** Sentence for the user. */
  note?: string;
  /** Reason why the server refused the session. */
  refused?: string;
}

/**
 * Brings a new server to the state of a session: sends the client's handshake and kept calls again. The answers are not
 * passed to the client. The request ids are strings with a prefix that no client uses.
 */
export class Opening {
  readonly #state: SessionState;
  readonly #left: readonly JsonText[];
  #count = 0;
  #isRefused = false;
  /** Sent requests without an answer: their methods, by id. */
  readonly #pending = new Map<string, string>();
  /** Subscriptions that the client knows to be acknowledged, and the new server has not acknowledged. */
  readonly #listens = new Set<string>();

  /** `left`: requests of the client that the old server has left open, for the new one. */
  constructor(state: SessionState, left: readonly JsonText[]) {
    this.#state = state;
    this.#left = left;
  }

  /** Methods of the messages that the server was sent again, in order. */
  readonly played: string[] = [];

  /** Whether the server has the whole state. */
  get isDone(): boolean {
    return !this.#isRefused && this.#pending.size === 0 && this.#listens.size === 0;
  }

  /** Returns the first messages for the server. */
  begin(): JsonText[] {
    const { initialize } = this.#state;
    return this.#played(initialize ? [this.#own(initialize)] : this.#rest());
  }

  /** Handles a message of the server. Undefined: the message is for the client. */
  take(json: JsonText): OpeningStep | undefined {
    const { value } = json;
    if (isResponse(value)) return this.#answer(json);
    const isAcknowledgement = isNotification(value) && value.method === 'notifications/subscriptions/acknowledged';
    return isAcknowledgement && this.#listens.delete(subscriptionOf(json) ?? '') ? { server: [] } : undefined;
  }

  #answer(json: JsonText): OpeningStep | undefined {
    const id = scalarKeyAt(json, ['id']) ?? '';
    this.#listens.delete(id);
    const method = this.#pending.get(id);
    if (method === undefined) return undefined;
    this.#pending.delete(id);
    const error = errorOf(json.value);
    const { told } = this.#state;
    if (method === 'initialize' && told) {
      if (error) {
        this.#isRefused = true;
        return { server: [], refused: `it refused initialize: ${error.message}` };
      }
      const note = toldDifferences(told, resultOf(json.value));
      return { server: this.#played(this.#rest()), ...(note !== undefined && { note }) };
    }
    if (!error) return { server: [] };
    return { server: [], note: `The new server refused ${method}: ${error.message}. The client does not know that.` };
  }

  /** Returns the messages to send after the answer to `initialize`. */
  #rest(): JsonText[] {
    const { initialized, listening } = this.#state;
    for (const json of this.#left) {
      const id = scalarKeyAt(json, ['id'])!;
      if (isRequest(json.value) && json.value.method === LISTEN && listening.has(id)) this.#listens.add(id);
    }
    return [
      ...(initialized ? [initialized] : []),
      ...this.#state.calls().map((call) => this.#own(call)),
      ...this.#left,
    ];
  }

  #played(messages: JsonText[]): JsonText[] {
    for (const { value } of messages) if (isRequest(value) || isNotification(value)) this.played.push(value.method);
    return messages;
  }

  /** Copies a request of the client with a new id from this program. */
  #own(request: JsonText): JsonText {
    const id = JSON.stringify(`mcp-record-${this.#count++}`);
    if (isRequest(request.value)) this.#pending.set(id, request.value.method);
    return withTextAt(request, ['id'], id);
  }
}
