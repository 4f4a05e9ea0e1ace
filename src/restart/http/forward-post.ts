import { messageIn } from '../../channel/line-to-message.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { LISTEN } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { headerOf, isIdentity, mapHeaders, mediaType } from '../../transports/http/http1/raw-headers.ts';
import { failure } from '../restarted-session.ts';
import { eventInPlace, relayEvents } from './event-relay.ts';
import type { HeldExchange } from './held-exchange.ts';
import type { ForClient, HttpSession } from './http-session.ts';
import type { Outage } from './outage.ts';
import { DOWN_WORDS, LOST_WORDS } from './outage-messages.ts';
import type { BodyEnd, Reply } from './request-on-new-connection.ts';
import { headersToClient, headersToServer } from './session-headers.ts';
import { Subscription } from './subscription.ts';

const EVENT_STREAM = 'text/event-stream';

type Response = Extract<Reply, { kind: 'response' }>;

/** Requests that change nothing outside a session, so a new server can safely receive them again. */
const ASKED_AGAIN: ReadonlySet<string> = new Set(['initialize', 'server/discover', LISTEN]);

/** The server behind the URL, as requests see it. */
export interface ServerOfPosts {
  /** Outage as requests without a session see it. */
  outage: Outage;
  /** Begins the session that the server has given an id. */
  begin(id: string): HttpSession;
  /** Tells people what happens to the server. */
  say(text: string): void;
  /** Takes a failed attempt to reach the server. */
  cannotBeReached(error: Error): void;
  /** Reports whether the server answers at all. */
  answers(exchange: HeldExchange): Promise<boolean>;
}

export interface PostOptions {
  exchange: HeldExchange;
  server: ServerOfPosts;
  /** The known session that the request names. */
  session: HttpSession | undefined;
}

/** Forwards a POST with messages of a client. */
export async function forwardPost(options: PostOptions): Promise<void> {
  const post = new ForwardedPost(options, await options.exchange.body);
  await post.run();
}

class ForwardedPost {
  readonly #exchange: HeldExchange;
  readonly #server: ServerOfPosts;
  readonly #body: Buffer;
  readonly #json: JsonText | undefined;
  #session: HttpSession | undefined;
  /** Ids of requests without an answer, as JSON tokens. */
  readonly #open: Set<string>;
  readonly #methods: readonly string[];
  readonly #subscription: Subscription | undefined;
  #generation = 0;
  #hasLostSession = false;

  constructor({ exchange, server, session }: PostOptions, body: Buffer) {
    this.#exchange = exchange;
    this.#server = server;
    this.#session = session;
    this.#body = body;
    this.#json = messageIn(body.toString());
    const requests = this.#json ? elementsOf(this.#json).filter(({ value }) => isRequest(value)) : [];
    this.#open = new Set(requests.map((json) => scalarKeyAt(json, ['id'])!));
    this.#methods = requests.map(({ value }) => (isRequest(value) ? value.method : ''));
    const [first] = requests;
    if (this.#session === undefined && this.#methods[0] === LISTEN && first)
      this.#subscription = new Subscription(first, (text) => this.#note(text));
  }

  async run(): Promise<void> {
    this.#session?.enter(this.#exchange);
    while (!this.#exchange.isOver) {
      if (this.#session && !(await this.#session.settled())) return this.#failInPlace(DOWN_WORDS);
      const body = this.#bodyForServer();
      if (body === undefined) return this.#exchange.respond(202, 'Accepted', '');
      this.#generation = this.#session?.generation ?? 0;
      const { headers } = this.#exchange.options.request;
      const reply = await this.#exchange.ask({ headers: headersToServer(headers, this.#session), body });
      if (this.#exchange.isOver || !(await this.#isToRepeat(reply))) return;
    }
  }

  /** Returns the body to send to the present server. Undefined: every message concerns an earlier server. */
  #bodyForServer(): Buffer | undefined {
    if (this.#session === undefined || this.#json === undefined) return this.#body;
    const json = this.#session.toServer(this.#json);
    return json === this.#json ? this.#body : json && Buffer.from(json.text);
  }

  /** Handles the outcome of the request. Returns whether the request has to be sent to another server. */
  async #isToRepeat(reply: Reply): Promise<boolean> {
    const exchange = this.#exchange;
    if (reply.kind === 'unreachable') return await this.#waitForServer(reply.error);
    this.#server.outage.end();
    if (reply.kind === 'invalid') {
      exchange.refuse(reply.error, true);
      return false;
    }
    if (reply.kind === 'lost') return await this.#lost(reply.how);
    const { status } = reply.head;
    if (this.#session && (status === 404 || status === 400) && !this.#hasLostSession) {
      // The server did not perform the request. Sending the request again, to a server that has the session, repeats
      // nothing.
      this.#hasLostSession = true;
      if (await this.#session.isGone(this.#generation)) return true;
    }
    return await this.#relay(reply);
  }

  /** Waits before the next attempt to reach the server, which did not receive the request. */
  async #waitForServer(error: Error): Promise<boolean> {
    const { outage } = this.#server;
    if (this.#session) {
      await this.#session.isGone(this.#generation);
      return true;
    }
    this.#server.cannotBeReached(error);
    if (outage.isLate) {
      this.#failInPlace(DOWN_WORDS, error);
      return false;
    }
    await Promise.race([outage.delay(), outage.patience()]);
    return true;
  }

  /** Handles a connection that was lost after the server may have performed the request. */
  async #lost(how: BodyEnd): Promise<boolean> {
    const exchange = this.#exchange;
    const isGone = this.#session
      ? await this.#session.isGone(this.#generation)
      : !(await this.#server.answers(exchange));
    if (exchange.isOver) return false;
    if (!isGone) {
      this.#session?.leaveOpen([...this.#open]);
      if (how === 'end') exchange.finish();
      else exchange.lose(how);
      return false;
    }
    const isAskedAgain = this.#session === undefined && this.#methods.every((method) => ASKED_AGAIN.has(method));
    if (!exchange.isBegun && isAskedAgain && this.#open.size > 0) return true;
    if (this.#subscription) return await this.#subscribeAgain(this.#subscription);
    this.#failInPlace(LOST_WORDS);
    return false;
  }

  async #relay({ head, body }: Response): Promise<boolean> {
    const exchange = this.#exchange;
    const { status, statusMessage } = head;
    this.#beginSession(head);
    const headers = headersToClient(head.headers, this.#session);
    const type = isIdentity(headers) ? mediaType(headerOf(headers, 'content-type')) : undefined;
    if (status === 200 && type === EVENT_STREAM) {
      exchange.begin(status, statusMessage, headers);
      return await this.#relayEvents(body);
    }
    if (type === 'application/json') {
      const data = await body.whole();
      if (typeof data === 'string') return await this.#lost(data);
      const json = messageIn(data.toString());
      const rewritten = json && this.#toClient(json)[0]?.json;
      const sent = rewritten === undefined || rewritten === json ? data : Buffer.from(rewritten.text);
      const length = String(sent.length);
      exchange.begin(status, statusMessage, [...withoutLength(headers), 'Content-Length', length]);
      await exchange.send(sent);
      exchange.finish();
      return false;
    }
    exchange.begin(status, statusMessage, headers);
    for (;;) {
      const piece = await body.next();
      if (piece === 'end') exchange.finish();
      else if (typeof piece === 'string') exchange.lose(piece);
      else await exchange.send(piece);
      if (typeof piece === 'string' || exchange.isOver) return false;
    }
  }

  async #relayEvents(body: Response['body']): Promise<boolean> {
    const exchange = this.#exchange;
    const toClient = (json: JsonText) => this.#toClient(json);
    const how = await relayEvents({ exchange, body, generation: this.#generation, toClient });
    if (exchange.isOver) return false;
    if (this.#open.size > 0 || how !== 'end') return await this.#lost(how);
    exchange.finish();
    return false;
  }

  /** Opens a subscription again on a new server. The client goes on with its stream. */
  async #subscribeAgain(subscription: Subscription): Promise<boolean> {
    const exchange = this.#exchange;
    const { outage } = this.#server;
    this.#note('The server is gone, and with it a subscription. It is subscribed to again when the server is back.');
    subscription.again();
    for (;;) {
      const { headers } = exchange.options.request;
      const reply = await exchange.ask({ headers, body: this.#body });
      if (exchange.isOver) return false;
      if (reply.kind === 'response') {
        outage.end();
        this.#generation++;
        const { status, headers: answered } = reply.head;
        const isStream = status === 200 && mediaType(headerOf(answered, 'content-type')) === EVENT_STREAM;
        if (isStream) return await this.#relayEvents(reply.body);
        this.#note(`The new server refuses the subscription: HTTP ${status}.`);
        this.#failInPlace(LOST_WORDS);
        return false;
      }
      if (reply.kind === 'unreachable') this.#server.cannotBeReached(reply.error);
      await outage.delay();
    }
  }

  #note(text: string): void {
    this.#server.say(text);
    this.#exchange.note(text);
  }

  /** Registers the session that the server's response begins. */
  #beginSession({ status, headers }: Response['head']): void {
    const id = headerOf(headers, 'mcp-session-id');
    if (this.#session || id === undefined || status !== 200 || this.#json === undefined) return;
    if (this.#methods[0] !== 'initialize' || this.#methods.length !== 1) return;
    this.#session = this.#server.begin(id);
    this.#session.enter(this.#exchange);
    this.#session.toServer(this.#json);
  }

  #toClient(json: JsonText): ForClient[] {
    for (const one of elementsOf(json)) if (isResponse(one.value)) this.#open.delete(scalarKeyAt(one, ['id']) ?? '');
    if (this.#session) return this.#session.toClient(json);
    return this.#subscription ? this.#subscription.toClient(json) : [{ json, isOptional: false }];
  }

  /** Answers the open requests in place of the server. */
  #failInPlace(why: string, error = new Error(why)): void {
    const exchange = this.#exchange;
    const ids = [...this.#open];
    const errors = ids.map((id) => failure(id, why));
    this.#session?.lost(ids);
    this.#open.clear();
    if (exchange.isBegun) {
      for (const text of errors) void exchange.send(eventInPlace(text), true);
      exchange.finish();
    } else if (errors.length > 0) exchange.respond(200, 'OK', errors.length > 1 ? `[${errors.join(',')}]` : errors[0]!);
    else if (why === LOST_WORDS) exchange.respond(202, 'Accepted', '');
    else exchange.refuse(error, false);
  }
}

function withoutLength(headers: readonly string[]): string[] {
  return mapHeaders(headers, (name, value) => (name === 'content-length' ? undefined : value));
}
