import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { LISTEN } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import { ServerRequestIds } from '../replay/tokens/successive-server-request-ids.ts';
import { listChanges } from './list-changed-notifications.ts';
import { OpenRequests } from './open-requests.ts';
import { Opening, type OpeningStep } from './opening.ts';
import { SessionState, subscriptionOf } from './session-state.ts';

/** Handling of a message of the server: `client` is the message to pass on, the other fields belong to the opening. */
export interface FromServer extends Partial<OpeningStep> {
  client?: JsonText;
}

/** Implementation-defined error code (JSON-RPC 2.0, "Error object"). Clients of the SDKs use it for a lost connection. */
const SERVER_LOST = -32000;

/**
 * Session of one client with successive servers. Decides which messages pass between the client and the present server.
 */
export class RestartedSession {
  readonly #state = new SessionState();
  readonly #requests = new OpenRequests();
  readonly #ids = new ServerRequestIds();
  #opening: Opening | undefined;
  /** Number of client requests that the present server has answered. */
  answerCount = 0;
  /** Whether the present server has received a request from the client itself. */
  #isAsked = true;
  #isFirst = true;
  /** Whether any server has answered a request of the client. */
  isBegun = false;

  /** Whether the present server has the complete state of the session. */
  get isOpen(): boolean {
    return this.#opening?.isDone ?? true;
  }

  /**
   * Reports whether a new server sent this message because of its opening: a session without a restart has one opening
   * only. `roots/list` always counts, because servers send it some time after the opening.
   */
  isOfOpening({ value }: JsonText): boolean {
    if (this.#isFirst || isResponse(value)) return false;
    return !this.#isAsked || (isRequest(value) && value.method === 'roots/list');
  }

  /** Rewrites a message of the client for the server. Undefined: the server must not get the message. */
  fromClient(json: JsonText): JsonText | undefined {
    const { value } = json;
    if (isRequest(value)) {
      this.#isAsked = true;
      this.#state.asked(json);
      this.#requests.add(scalarKeyAt(json, ['id'])!, json);
    }
    if (!isNotification(value)) return this.#ids.toServer(json);
    this.#state.notified(json);
    if (value.method !== 'notifications/cancelled') return this.#ids.toServer(json);
    const id = scalarKeyAt(json, ['params', 'requestId']) ?? '';
    // A cancelled request needs no answer.
    this.#requests.take(id);
    this.#state.ended(id);
    return this.#requests.hasFailed(id) ? undefined : json;
  }

  /** Takes a message of the server. */
  fromServer(json: JsonText): FromServer {
    const step = this.#opening?.take(json);
    if (step) return step;
    const { value } = json;
    if (isResponse(value)) this.#answered(json);
    if (isNotification(value) && value.method === 'notifications/subscriptions/acknowledged')
      this.#state.acknowledged(subscriptionOf(json) ?? '', json);
    return { client: this.#ids.toClient(json) };
  }

  /**
   * Handles the end of the server. Returns the messages for the client: errors for its open requests, and cancellations
   * of the server's open requests.
   */
  serverEnded(why: string): string[] {
    return [...this.#requests.fail().map((id) => failure(id, why)), ...this.serverReplaced()];
  }

  /**
   * Handles the end of a server whose open requests the caller fails. Returns cancellations of the server's own
   * requests.
   */
  serverReplaced(): string[] {
    this.#opening = undefined;
    this.answerCount = 0;
    return this.#ids.replace().map(cancel);
  }

  /** Marks these requests as lost. Returns an error response for each one that has no answer yet. */
  requestsLost(ids: readonly string[], why: string): string[] {
    return this.#requests.failOpen(ids).map((id) => failure(id, why));
  }

  /**
   * Opens the session on a new server, which also gets the open requests `left`. Returns the first messages to send.
   */
  open(left: readonly JsonText[] = this.#requests.left()): JsonText[] {
    this.#isAsked = false;
    this.#isFirst = false;
    this.#opening = new Opening(this.#state, left);
    return this.#opening.begin();
  }

  /** Returns notifications for the client, and notes for the user, when a new server has taken the session. */
  opened(): { notifications: string[]; notes: string[] } {
    const { notifications, untold } = listChanges(this.#state);
    const played = this.#opening?.played ?? [];
    const after = played.length === 0 ? '' : ` It got again what the client has sent: ${played.join(', ')}.`;
    return { notifications, notes: [`The new server goes on with the session.${after}`, ...(untold ? [untold] : [])] };
  }

  /** Handles a message of the client while no server runs. Returns the error response if the message is a request. */
  refuse(json: JsonText, why: string): string[] {
    if (isNotification(json.value)) this.#state.notified(json);
    return isRequest(json.value) ? [failure(scalarKeyAt(json, ['id'])!, why)] : [];
  }

  /** Ends the session. Returns the errors for the open requests. */
  end(why: string): string[] {
    return this.#requests.failAll().map((id) => failure(id, why));
  }

  #answered(json: JsonText): void {
    const id = scalarKeyAt(json, ['id']) ?? '';
    const request = this.#requests.take(id);
    if (request === undefined) return;
    this.answerCount++;
    this.isBegun = true;
    this.#state.answered(request, json);
    if (isRequest(request.value) && request.value.method === LISTEN) this.#state.ended(id);
  }
}

/** Returns the error for a request whose server is lost. `id` is a JSON token. */
export function failure(id: string, message: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: SERVER_LOST, message })}}`;
}

function cancel(id: string): string {
  const reason = JSON.stringify('the server was restarted');
  return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id},"reason":${reason}}}`;
}
