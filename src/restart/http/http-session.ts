import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { rewriteMessages } from '../map-batch-messages.ts';
import { failure, RestartedSession } from '../restarted-session.ts';
import type { HeldExchange } from './held-exchange.ts';
import { Outage } from './outage.ts';
import { LOST_WORDS } from './outage-messages.ts';
import { messagesIn, type OwnRequest, postOwn } from './own-request.ts';

export interface HttpSessionOptions {
  clock: Clock;
  ca: readonly string[] | undefined;
  /** Tells the owner of the recorder something. */
  say(text: string): void;
  /** Called when the server is gone for longer than requests wait. */
  late(why: string): void;
  /** Called when a later server has given the session an id. */
  issued(id: string): void;
  /** Called when the session has ended. */
  ended(): void;
}

/** Minimum time between two openings. Without it, a server that never keeps a session would cause endless openings. */
const LASTING: Milliseconds = 1_000;

/** A stream on which the client listens. */
export interface ListeningStream {
  /** Takes the end of the server's session that the stream belongs to. */
  leaveServer(): void;
}

/** A server message for delivery to the client. */
export interface ForClient {
  json: JsonText;
  /** Whether the message results from the opening of a new server. */
  isOptional: boolean;
}

/**
 * State of the session on the server. `unreachable`: no server answers. `unauthorized`: the server wants credentials.
 */
type Standing = 'alive' | 'lost' | 'unreachable' | 'unauthorized';

/** Session that a client keeps while the server behind the URL is replaced. */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #messages = new RestartedSession();
  /** Session id that the client knows. */
  readonly clientId: string;
  /**
   * Session id on the present server. Undefined: the server assigned no id, or has assigned this id to another session.
   */
  serverId: string | undefined;
  /** Number of servers before the present one. */
  generation = 0;
  readonly outage: Outage;
  #recovery: { isGone: Promise<boolean>; over: Promise<void> } | undefined;
  #why = '';
  /** Time when the present server took over the session. */
  #openedAt: Milliseconds = 0;
  #isEnded = false;
  /** Whether the client has asked to end the session. Its streams end with it. */
  isDeleted = false;
  /** Latest POST of the client. Requests of this program copy its credentials. */
  #latest: OwnRequest['like'] | undefined;
  readonly #exchanges = new Set<HeldExchange>();
  readonly #streams = new Set<ListeningStream>();
  /** Ids of open requests whose HTTP response ended without an answer. The answer may still come on another stream. */
  #orphans = new Set<string>();
  /** Messages in place of a server, kept until the client opens a stream. */
  #messagesInPlace: string[] = [];
  #notes: string[] = [];

  constructor(clientId: string, options: HttpSessionOptions) {
    this.clientId = clientId;
    this.serverId = clientId;
    this.#options = options;
    this.outage = new Outage(options.clock, () => options.late(this.#why));
  }

  /** Takes an exchange of the session. */
  enter(exchange: HeldExchange): void {
    const { common, way, request } = exchange.options;
    if (request.method === 'POST') this.#latest = { common, way, request };
    this.#exchanges.add(exchange);
    exchange.whenOver(() => this.#exchanges.delete(exchange));
    for (const note of this.#notes.splice(0)) exchange.note(note);
  }

  /** Takes the end of the session. */
  end(): void {
    this.#isEnded = true;
    this.outage.close();
    this.#options.ended();
  }

  /** Rewrites a message or batch of the client for the server. Undefined: the server must not get the message. */
  toServer(json: JsonText): JsonText | undefined {
    return rewriteMessages(json, (one) => this.#messages.fromClient(one));
  }

  /** Rewrites a message or batch of the server for the client. */
  toClient(json: JsonText): ForClient[] {
    let isOptional = false;
    const rewritten = rewriteMessages(json, (one) => {
      isOptional ||= this.#messages.isOfOpening(one);
      return this.#messages.fromServer(one).client;
    });
    return rewritten ? [{ json: rewritten, isOptional }] : [];
  }

  /** Marks these requests as lost. Returns an error response for each one that has no answer yet. */
  lost(ids: readonly string[]): string[] {
    return this.#messages.requestsLost(ids, LOST_WORDS);
  }

  /** Handles a response that ended without the answers to these requests. The answers may come on another stream. */
  leaveOpen(ids: readonly string[]): void {
    for (const id of ids) this.#orphans.add(id);
  }

  /** Registers a stream on which the client listens. Returns the messages that were kept for such a stream. */
  listen(stream: ListeningStream): string[] {
    this.#streams.add(stream);
    return this.#messagesInPlace.splice(0);
  }

  /** Removes a stream that has ended. */
  unlisten(stream: ListeningStream): void {
    this.#streams.delete(stream);
  }

  /** Resolves with true when no opening is in progress. False: the opening takes longer than requests wait. */
  async settled(): Promise<boolean> {
    const recovery = this.#recovery;
    if (recovery === undefined) return true;
    return await Promise.race([recovery.over.then(() => true), this.outage.patience().then(() => false)]);
  }

  /** Resolves when no opening is in progress. */
  async opened(): Promise<void> {
    await this.#recovery?.over;
  }

  /**
   * Reports whether the server of a generation is gone or has lost the session. If so, begins to open the session on
   * the next server.
   */
  async isGone(generation: number): Promise<boolean> {
    if (this.isDeleted) return false;
    if (this.generation > generation) return true;
    this.#recovery ??= this.#recover();
    return await this.#recovery.isGone;
  }

  /** Reports whether the server lacks the session. Unlike `isGone`, starts no recovery. */
  async isUnknown(): Promise<boolean> {
    const standing = await this.#standing();
    return standing === 'lost' || standing === 'unreachable';
  }

  #recover(): { isGone: Promise<boolean>; over: Promise<void> } {
    let decide: (isGone: boolean) => void = () => {};
    const isGone = new Promise<boolean>((resolve) => {
      decide = resolve;
    });
    const over = this.#replace(decide).finally(() => {
      this.outage.end();
      decide(false);
      this.#recovery = undefined;
    });
    return { isGone, over };
  }

  /** Opens the session on the next server that takes it. Returns early if the present server still has the session. */
  async #replace(decide: (isGone: boolean) => void): Promise<void> {
    let standing = await this.#standing();
    if (standing === 'alive' || standing === 'unauthorized') return;
    this.#note(`The server has lost the session: ${standing === 'lost' ? this.#why : 'it cannot be reached'}.`);
    this.outage.begin();
    decide(true);
    const early = this.#openedAt + LASTING - this.#options.clock.now();
    if (this.generation > 0 && early > 0) await this.outage.wait(early);
    for (;;) {
      // This program has no valid credentials. The client's requests pass unchanged, so that the client gets the 401 or
      // 403.
      if (this.#isEnded || standing === 'unauthorized') return;
      if (standing === 'alive') return this.#goOn();
      if (standing === 'lost' && (await this.#open())) return this.#goOn();
      await this.outage.delay();
      standing = await this.#standing();
    }
  }

  /** Asks the server whether it has the session. */
  async #standing(): Promise<Standing> {
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 'mcp-record-ping', method: 'ping' });
    const response = await this.#post(ping, this.serverId, false);
    if ('silent' in response) return this.outage.isBegun ? 'unreachable' : 'alive';
    if ('unreachable' in response) {
      this.#why = response.unreachable;
      return 'unreachable';
    }
    const { status } = response;
    if (status === 401 || status === 403) return 'unauthorized';
    this.#why = `it answers ${status}`;
    // 502, 503 and 504 come from a proxy in front of a stopped server.
    if (status >= 502 && status <= 504) return 'unreachable';
    return status === 404 || status === 400 ? 'lost' : 'alive';
  }

  /** Opens the session on a new server. False: the server refused the session. */
  async #open(): Promise<boolean> {
    this.#messagesInPlace.push(...this.#messages.serverReplaced());
    const queue = this.#messages.open([]);
    let id: string | undefined;
    for (let next = queue.shift(), isInitialize = true; next; next = queue.shift(), isInitialize = false) {
      const response = await this.#post(next.text, id, true, isInitialize);
      if (!('status' in response)) return false;
      if (isInitialize) id = response.session;
      if (isInitialize && id !== undefined) this.#options.issued(id);
      const { status } = response;
      const messages = [...response.messages, ...(status < 400 ? [] : refusals(next, response.messages, status))];
      for (const json of messages) {
        const { client, server = [], note, refused } = this.#messages.fromServer(json);
        if (note !== undefined) this.#note(note);
        this.#why = refused ?? this.#why;
        if (refused !== undefined) return false;
        if (client) this.#messagesInPlace.push(client.text);
        queue.push(...server);
      }
    }
    if (!this.#messages.isOpen) return false;
    this.serverId = id;
    return true;
  }

  /** Continues the session with the new server. */
  #goOn(): void {
    this.generation++;
    this.#openedAt = this.#options.clock.now();
    const { notifications, notes } = this.#messages.opened();
    this.#messagesInPlace.push(...this.lost([...this.#orphans]), ...notifications);
    this.#orphans.clear();
    for (const note of notes) this.#note(note);
    if (this.#streams.size === 0 && notifications.length > 0)
      this.#note('The client has no open stream to hear of its lists. It hears of them when it opens one.');
    for (const stream of this.#streams) stream.leaveServer();
  }

  async #post(message: string, session: string | undefined, reads: boolean, isInitialize = false) {
    const { clock, ca } = this.#options;
    return await postOwn({ like: this.#latest!, ca, message, session, isInitialize }, clock, reads);
  }

  #note(text: string): void {
    this.#options.say(text);
    const [exchange] = this.#exchanges;
    if (exchange) exchange.note(text);
    else this.#notes.push(text);
  }
}

/**
 * Returns an error answer for a request of this program that an HTTP status refused. Empty: the response has the answer
 * already.
 */
function refusals(request: JsonText, messages: readonly JsonText[], status: number): JsonText[] {
  const id = isRequest(request.value) ? scalarKeyAt(request, ['id']) : undefined;
  const isAnswered = messages.some((json) => scalarKeyAt(json, ['id']) === id);
  return id === undefined || isAnswered ? [] : messagesIn(failure(id, `HTTP ${status}`));
}
