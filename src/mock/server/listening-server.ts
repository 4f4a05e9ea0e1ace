import type { WireFrame } from '../../channel/frame.ts';
import { httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { HttpMessageLog, type LoggedExchange } from '../../journal/http-message-log.ts';
import type { Journal } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Milliseconds, systemClock } from '../../kernel/clock.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { HttpHandler } from '../../replay/http/http-mock-server.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../replay/http/legacy-sse-server.ts';
import { byName } from '../../transports/http/http1/raw-headers.ts';
import { listen } from '../../transports/http/server/http-listener.ts';
import { parseUpstream } from '../../transports/http/upstream/upstream.ts';
import type { AuthorizationSettings } from '../authorization/authorization-options.ts';
import { type EndpointOptions, openEndpoint, type PlayedCassettes } from '../endpoint/fetch-endpoint.ts';
import { ProxiedRequests } from './proxied-requests.ts';
import type { ServerHandlers } from './server-handlers.ts';

export interface ListeningServerOptions {
  /** Options of the endpoint that plays the cassettes. */
  endpoint: EndpointOptions;
  /** Path of the cassette, or what stands for it in messages. */
  name: string;
  /** What it plays. Absent: the cassette at `name`. */
  played?: PlayedCassettes | undefined;
  faults: { rules: readonly Rule[]; seed: number };
  /** Loopback address to listen on. Absent: 127.0.0.1 and a free port. */
  address?: { hostname: string; port: number };
  /** Path of the endpoint. Default: `/mcp`. */
  path?: string;
  /** Names of ours beside those of the loopback. */
  allowed?: readonly string[];
  /** How clients are authorized. Absent: whoever comes is served. */
  auth?: AuthorizationSettings;
  /** Called with each request that was refused, and why. */
  refused?(why: string): void;
  /** Called with every fault that happens, and the rules that hold. */
  fired?(fired: Fired, rules: readonly Rule[]): void;
  /** Says which faults have not happened that should have. Absent: each rule that ever held and has not fired. */
  unfired?(): string[];
  /** Puts something before the endpoint. */
  intercept?(serve: HttpHandler): HttpHandler;
}

/** A mock server that listens, with all that a test may ask of it and change while it runs. */
export interface ListeningServer {
  url: string;
  /** Where clients of HTTP with SSE connect. Absent: the cassette is of 2026-07-28 or later. */
  sseUrl?: string;
  /** The issuer of access tokens. Absent: nobody needs one. */
  issuer?: string;
  journal: Journal;
  handlers: ServerHandlers;
  /** The faults that have happened, in order. */
  readonly fired: readonly Fired[];
  /** A fault has ended the server: with what status. */
  exited: Promise<number | string>;
  /** These rules hold from now on, in place of those before. `seed` is what their chance draws from, if not what it was. */
  use(rules: readonly Rule[], seed?: number): void;
  /** Says how it has gone so far, and ends nothing. */
  outcome(): ReplayOutcome;
  /** Ends every session: a client that names one is answered with 404. Returns how many there were; undefined: the server has no sessions. */
  expireSessions(): number | undefined;
  /** Begins anew, with these rules or with those that hold, and says how it went until now. */
  reset(rules?: readonly Rule[], seed?: number): ReplayOutcome;
  /** Ends it, and says how it went. */
  finish(): Promise<ReplayOutcome>;
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** How long a request takes from the proxy to the endpoint, at most. A fault may keep it back for ever. */
const ARRIVAL_MS_MAX: Milliseconds = 250;
const LOOPBACK = { hostname: '127.0.0.1', port: 0 };

/**
 * Starts a recorded server that listens, behind a proxy that misbehaves as it is told and until then passes all on.
 * @throws McpRecordError those of `loadCassette`, HTTP_CANNOT_LISTEN
 */
export async function startListeningServer(options: ListeningServerOptions): Promise<ListeningServer> {
  const { faults, intercept = (serve) => serve, allowed = [], path = '/mcp', auth } = options;
  const { clock = systemClock } = options.endpoint;
  const endpoint = openEndpoint(options.name, options.endpoint, options.played);
  // What signs tokens is loaded only where there are some.
  const { protectedServer } = auth ? await import('../authorization/protected-server.ts') : {};
  const authorization = auth && (await protectedServer?.({ settings: auth, clock, path }));
  const proxied = new ProxiedRequests(systemClock);
  const served = intercept(endpoint.serve);
  const listener = await listen({
    ...LOOPBACK,
    path,
    otherPaths: [SSE_PATH, SSE_ENDPOINT, ...(authorization?.paths ?? [])],
    allowed,
    bodyMax: BODY_BYTES_MAX,
    refused: (request, why) => options.refused?.(`refused ${request}: ${why}`),
    serve: proxied.counted(authorization?.protect(served) ?? served),
  });
  const received = new MessageLog(clock);
  const sessions = new HttpMessageLog(received);
  /** What is asked now, by its number. */
  const exchanges = new Map<number, LoggedExchange>();
  const hear = (frame: WireFrame) => {
    const { kind, from, stream = 0 } = frame;
    if (from === 'client' && (kind === 'message' || kind === 'open')) {
      proxied.came();
      exchanges.set(
        stream,
        sessions.startExchange(frame.headers ?? {}, kind === 'message' ? frame.json.value : undefined),
      );
    } else if (kind === 'message') exchanges.get(stream)?.addServerMessage(frame.json.value);
    else if (from === 'server' && kind === 'close') exchanges.delete(stream);
  };
  const fired: Fired[] = [];
  const thrown: Finding[] = [];
  const upstream = parseUpstream(listener.url);
  const proxy = await httpFaultProxy({
    upstream,
    listen: options.address ?? LOOPBACK,
    allowed,
    clock,
    servesPages: true,
    faults: {
      ...faults,
      fired(one, rules) {
        fired.push(one);
        endpoint.faulted(one);
        options.fired?.(one, rules);
      },
      failed: ({ message: text }) => void thrown.push({ kind: 'thrown', text }),
    },
    tap: hear,
    answered: (stream, headers) => exchanges.get(stream)?.addResponseHeaders(byName(headers)),
    // A client that is refused is told so.
    trouble: ({ message }) => options.refused?.(message),
  });
  const judged = ({ findings }: ReplayOutcome): ReplayOutcome => {
    const { unfired = proxy.everUnfired } = options;
    const never = unfired().map((text): Finding => ({ kind: 'unfired', text }));
    return replayOutcome([...findings, ...thrown, ...never], options.endpoint);
  };
  return {
    url: proxy.origin + upstream.path,
    ...(endpoint.hasSse && { sseUrl: proxy.origin + SSE_PATH }),
    ...(authorization && { issuer: authorization.issuerAt(proxy.origin) }),
    journal: received.journal,
    handlers: endpoint.handlers,
    fired,
    exited: proxy.exited,
    use: (rules, seed) => proxy.use(rules, seed),
    outcome: () => judged(endpoint.outcome()),
    expireSessions: () => endpoint.expireSessions(),
    reset(rules, seed) {
      const judgement = judged(endpoint.finish());
      endpoint.reset();
      authorization?.reset();
      received.journal.reset();
      sessions.reset();
      exchanges.clear();
      fired.length = 0;
      thrown.length = 0;
      proxy.restart(rules, seed);
      return judgement;
    },
    async finish() {
      // A request that the journal has may not have reached its handler yet.
      await proxied.arrival(ARRIVAL_MS_MAX);
      const judgement = judged(endpoint.finish());
      await proxy.close();
      await listener.close();
      return judgement;
    },
  };
}
