import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isRequest } from '../../protocol/message.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { failure, RestartedSession } from '../restarted-session.ts';
import { rewriteMessages } from '../rewrite-messages.ts';
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

/** Time from one opening to the next at least. Some servers never keep a session, and each opening would follow the one before. */
const LASTING: Milliseconds = 1_000;

/** A stream on which the client listens. */
export interface ListeningStream {
  /** Takes the end of the server's session that the stream belongs to. */
  leaveServer(): void;
}

/** A message of the server for the client. */
export interface ForClient {
  json: JsonText;
  /** Whether it follows from the opening of a new server. */
  isOptional: boolean;
}

/** What is known of the server's session: it has it, has lost it, is not there, or wants credentials. */
type Standing = 'alive' | 'lost' | 'unreachable' | 'unauthorized';

/** Session that a client keeps while the server behind the URL is replaced. */
export class HttpSession {
  readonly #options: HttpSessionOptions;
  readonly #messages = new RestartedSession();
  /** Session id that the client knows. */
  readonly clientId: string;
  /** Session id of the present server. Undefined: it has given none, or it is that of another session now. */
  serverId: string | undefined;
  /** Number of servers before the present one. */
  generation = 0;
  readonly outage: Outage;
  #recovery: { isGone: Promise<boolean>; over: Promise<void> } | undefined;
  #why = '';
  /** Time when the present server has taken the session. */
  #openedAt: Milliseconds = 0;
  #isEnded = false;
  /** Whether the client has asked to end the session. Its streams end with it. */
  isDeleted = false;
  /** The client's latest POST, whose credentials this program's own requests have. */
  #latest: OwnRequest['like'] | undefined;
  readonly #exchanges = new Set<HeldExchange>();
  readonly #streams = new Set<ListeningStream>();
  /** Open requests whose response has ended without an answer: that may come on another stream. */
  #orphans = new Set<string>();
  /** Messages in place of a server that wait for a stream. */
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

  /** Returns a message or batch of the client as the server gets it. Undefined: the server does not. */
  toServer(json: JsonText): JsonText | undefined {
    return rewriteMessages(json, (one) => this.#messages.fromClient(one));
  }

  /** Returns what the client gets of a message or batch of the server. */
  toClient(json: JsonText): ForClient[] {
    let isOptional = false;
    const rewritten = rewriteMessages(json, (one) => {
      isOptional ||= this.#messages.isOfOpening(one);
      return this.#messages.fromServer(one).client;
    });
    return rewritten ? [{ json: rewritten, isOptional }] : [];
  }

  /** Takes the loss of these requests. Returns the errors for those without an answer. */
  lost(ids: readonly string[]): string[] {
    return this.#messages.requestsLost(ids, LOST_WORDS);
  }

  /** Takes the end of a response without the answers to these requests, which may come on another stream. */
  leaveOpen(ids: readonly string[]): void {
    for (const id of ids) this.#orphans.add(id);
  }

  /** Takes a stream on which the client listens. Returns what waits for one. */
  listen(stream: ListeningStream): string[] {
    this.#streams.add(stream);
    return this.#messagesInPlace.splice(0);
  }

  /** Takes the end of a stream. */
  unlisten(stream: ListeningStream): void {
    this.#streams.delete(stream);
  }

  /** Resolves when no new server is being opened. False: that takes longer than requests wait. */
  async settled(): Promise<boolean> {
    const recovery = this.#recovery;
    if (recovery === undefined) return true;
    return await Promise.race([recovery.over.then(() => true), this.outage.patience().then(() => false)]);
  }

  /** Resolves when no new server is being opened. */
  async opened(): Promise<void> {
    await this.#recovery?.over;
  }

  /** Reports whether the server of a generation has lost the session, or is gone. If so, the next one gets it. */
  async isGone(generation: number): Promise<boolean> {
    if (this.isDeleted) return false;
    if (this.generation > generation) return true;
    this.#recovery ??= this.#recover();
    return await this.#recovery.isGone;
  }

  /** Reports whether the server does not have the session. Nothing follows from that. */
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

  /** Waits for a server that takes the session. Returns early if the present one has it. */
  async #replace(decide: (isGone: boolean) => void): Promise<void> {
    let standing = await this.#standing();
    if (standing === 'alive' || standing === 'unauthorized') return;
    this.#note(`The server has lost the session: ${standing === 'lost' ? this.#why : 'it cannot be reached'}.`);
    this.outage.begin();
    decide(true);
    const early = this.#openedAt + LASTING - this.#options.clock.now();
    if (this.generation > 0 && early > 0) await this.outage.wait(early);
    for (;;) {
      // Without credentials, its client has to hear of that itself: its requests are sent as they are.
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
    // A proxy in front of a server that is not there.
    if (status >= 502 && status <= 504) return 'unreachable';
    return status === 404 || status === 400 ? 'lost' : 'alive';
  }

  /** Begins the session with a new server. False: it does not take it. */
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

  /** Goes on with a server that has the session. */
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

/** Returns the error of a request of this program that an HTTP status has refused. */
function refusals(request: JsonText, messages: readonly JsonText[], status: number): JsonText[] {
  const id = isRequest(request.value) ? scalarKeyAt(request, ['id']) : undefined;
  const isAnswered = messages.some((json) => scalarKeyAt(json, ['id']) === id);
  return id === undefined || isAnswered ? [] : messagesIn(failure(id, `HTTP ${status}`));
}
