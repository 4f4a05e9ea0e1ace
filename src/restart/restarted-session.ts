import type { JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse } from '../protocol/message.ts';
import { LISTEN } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import { ServerRequestIds } from '../replay/tokens/request-ids-across-servers.ts';
import { listChanges } from './list-changes.ts';
import { OpenRequests } from './open-requests.ts';
import { Opening, type OpeningStep } from './opening.ts';
import { SessionState, subscriptionOf } from './session-state.ts';

/** A message of the server: what the client gets of it, and what else follows. */
export interface FromServer extends Partial<OpeningStep> {
  client?: JsonText;
}

/** Implementation-defined error code (JSON-RPC 2.0, "Error object"). Clients of the SDKs use it for a lost connection. */
const SERVER_LOST = -32000;

/** The session of one client with the servers that follow each other. Decides what passes between them. */
export class RestartedSession {
  readonly #state = new SessionState();
  readonly #requests = new OpenRequests();
  readonly #ids = new ServerRequestIds();
  #opening: Opening | undefined;
  /** Number of the client's requests that the present server has answered. */
  answerCount = 0;
  /** Whether the present server has got a request of the client. */
  #isAsked = true;
  #isFirst = true;
  /** Whether any server has answered a request of the client. */
  isBegun = false;

  /** Whether the server has the state of the session. */
  get isOpen(): boolean {
    return this.#opening?.isDone ?? true;
  }

  /**
   * Reports whether a message of a new server follows from its opening, which a server that is not restarted has once. It
   * asks for the roots after that, in its own time.
   */
  isOfOpening({ value }: JsonText): boolean {
    if (this.#isFirst || isResponse(value)) return false;
    return !this.#isAsked || (isRequest(value) && value.method === 'roots/list');
  }

  /** Returns a message of the client as the server gets it. Undefined: the server does not. */
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
    // No answer follows: the client does not wait for it.
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
   * Takes the end of the server. Returns what its client hears: errors for open requests, and cancels of the server's own
   * ones.
   */
  serverEnded(why: string): string[] {
    return [...this.#requests.fail().map((id) => failure(id, why)), ...this.serverReplaced()];
  }

  /** Takes the end of a server whose requests fail one by one. Returns the cancels of the server's own ones. */
  serverReplaced(): string[] {
    this.#opening = undefined;
    this.answerCount = 0;
    return this.#ids.replace().map(cancel);
  }

  /** Takes the loss of these requests. Returns the errors for those without an answer. */
  requestsLost(ids: readonly string[], why: string): string[] {
    return this.#requests.failOpen(ids).map((id) => failure(id, why));
  }

  /** Begins the session with a new server, which also gets the open requests `left`. Returns the first messages for it. */
  open(left: readonly JsonText[] = this.#requests.left()): JsonText[] {
    this.#isAsked = false;
    this.#isFirst = false;
    this.#opening = new Opening(this.#state, left);
    return this.#opening.begin();
  }

  /** Returns what the client hears when a new server has the session, and what people should know. */
  opened(): { notifications: string[]; notes: string[] } {
    const { notifications, untold } = listChanges(this.#state);
    const played = this.#opening?.played ?? [];
    const after = played.length === 0 ? '' : ` It got again what the client has sent: ${played.join(', ')}.`;
    return { notifications, notes: [`The new server goes on with the session.${after}`, ...(untold ? [untold] : [])] };
  }

  /** Takes a message of the client while there is no server. Returns the error for a request. */
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
