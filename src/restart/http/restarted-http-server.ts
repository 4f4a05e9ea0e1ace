import type { Clock } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { headerOf, mapHeaders } from '../../transports/http/http1/raw-headers.ts';
import type { ExchangeOptions, ForwardedExchange } from '../../transports/http/proxy/exchange-options.ts';
import { forwardExchange } from '../../transports/http/proxy/forward-exchange.ts';
import { upstreamRequest } from '../../transports/http/proxy/upstream-request-head.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import { forwardPost, type ServerOfPosts } from './forward-post.ts';
import { forwardDelete, forwardStream } from './forward-stream.ts';
import { HeldExchange } from './held-exchange.ts';
import { HttpSession } from './http-session.ts';
import { Outage } from './outage.ts';
import { serverNotBack } from './outage-messages.ts';
import { inTime } from './own-request.ts';
import { askServer } from './request-on-new-connection.ts';

export interface RestartedHttpServerOptions {
  upstream: Upstream;
  /** CA certificates in PEM that replace the default ones. */
  ca?: readonly string[] | undefined;
  clock: Clock;
  /** Tells people what happens to the server. */
  say(text: string): void;
  /** Called with the error when the server is gone for longer than requests wait. */
  notBack(error: McpRecordError): void;
}

/** Headers that describe a body. */
const OF_BODY: ReadonlySet<string> = new Set(['content-length', 'content-type', 'expect', 'transfer-encoding']);

/** Maximum number of sessions. Beyond it, the requests of the oldest session pass unchanged to the server. */
const SESSIONS_MAX = 100_000;

/**
 * Server at a URL that somebody else restarts. When the server loses the sessions of its clients, this class opens them
 * again.
 */
export class RestartedHttpServer implements ServerOfPosts {
  readonly #options: RestartedHttpServerOptions;
  /** Sessions by the id that the client knows. */
  readonly #sessions = new Map<string, HttpSession>();
  /** Sessions by the id that a server assigned most recently. */
  readonly #owners = new Map<string, HttpSession>();
  #why = '';
  /** Outage as requests without a session see it. */
  readonly outage: Outage;

  constructor(options: RestartedHttpServerOptions) {
    this.#options = options;
    this.outage = new Outage(options.clock, () => this.#late(this.#why));
  }

  /**
   * Forwards a request of a client. Requests to other paths, and requests of HTTP with SSE, pass without session
   * handling.
   */
  forward(options: ExchangeOptions): ForwardedExchange {
    const { request, way } = options;
    const { upstream, ca } = this.#options;
    if (way.isAside || way.page !== undefined || way.path !== upstream.path + upstream.search)
      return forwardExchange(options);
    const session = this.#sessions.get(headerOf(request.headers, 'mcp-session-id') ?? '');
    const { method } = request;
    if (method !== 'POST' && (session === undefined || (method !== 'GET' && method !== 'DELETE')))
      return forwardExchange(options);
    const exchange = new HeldExchange(options, ca);
    const forwarded =
      method === 'POST' || session === undefined
        ? forwardPost({ exchange, server: this, session })
        : method === 'GET'
          ? forwardStream(exchange, session)
          : forwardDelete(exchange, session);
    forwarded.catch((error: Error) => exchange.refuse(error, true));
    return exchange;
  }

  /**
   * Registers the session that a server assigned an id. If a client of an earlier server already uses this id, the new
   * client gets a variant of it: some servers number their sessions.
   */
  begin(id: string): HttpSession {
    const { clock, ca, say } = this.#options;
    let clientId = id;
    for (let n = 2; this.#sessions.has(clientId); n++) clientId = `${id}-${n}`;
    const session: HttpSession = new HttpSession(clientId, {
      clock,
      ca,
      say,
      late: (why) => this.#late(why),
      issued: (next) => this.#issued(next, session),
      ended: () => this.#ended(session),
    });
    this.#issued(id, session);
    session.serverId = id;
    this.#sessions.set(clientId, session);
    if (this.#sessions.size > SESSIONS_MAX) {
      const [oldest] = this.#sessions.values();
      oldest?.end();
    }
    return session;
  }

  say(text: string): void {
    this.#options.say(text);
  }

  /** Takes a failed attempt to reach the server. */
  cannotBeReached(error: Error): void {
    this.#why = error.message || error.name;
    this.outage.begin();
  }

  /**
   * Reports whether the server answers at all. A connection alone says nothing: the system accepts it for a process that is
   * being killed.
   */
  async answers({ options }: HeldExchange): Promise<boolean> {
    const { upstream, ca, clock } = this.#options;
    const headers = mapHeaders(options.request.headers, (name, value) => (OF_BODY.has(name) ? undefined : value));
    const body = Buffer.alloc(0);
    const sent = upstreamRequest({
      ...options,
      request: { ...options.request, method: 'OPTIONS', headers },
      asked: body,
    });
    const asked = askServer({ upstream, ca }, sent, body);
    const reply = await inTime(clock, asked.reply);
    asked.destroy();
    // A server that takes long is not gone.
    return reply === undefined || reply.kind === 'response';
  }

  /** Whether requests fail at once, because the server has been gone for long. */
  get isDown(): boolean {
    return this.outage.isLate || [...this.#sessions.values()].some((session) => session.outage.isLate);
  }

  /** Ends every wait. */
  close(): void {
    this.outage.close();
    for (const session of this.#sessions.values()) session.end();
  }

  /**
   * Records the id that a server assigned to a session. An older session with the same id was begun by an earlier
   * server, so it loses its server id: its requests must not reach the new session.
   */
  #issued(id: string, session: HttpSession): void {
    const before = this.#owners.get(id);
    if (before !== undefined && before !== session && before.serverId === id) before.serverId = undefined;
    this.#owners.set(id, session);
  }

  #ended(session: HttpSession): void {
    const { clientId, serverId = '' } = session;
    this.#sessions.delete(clientId);
    if (this.#owners.get(serverId) === session) this.#owners.delete(serverId);
  }

  #late(why: string): void {
    const { upstream, notBack } = this.#options;
    notBack(serverNotBack(upstream.origin + upstream.path, why));
  }
}
