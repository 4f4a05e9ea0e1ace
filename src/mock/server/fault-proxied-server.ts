import type { WireFrame } from '../../channel/frame.ts';
import { httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { refusedTokenStatus } from '../../faults/support/refuse-unauthorized-requests.ts';
import { HttpMessageLog, type LoggedExchange } from '../../journal/http-message-log.ts';
import type { Journal } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Milliseconds, systemClock } from '../../kernel/clock.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { type ReplayOutcome, replayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { HttpHandler } from '../../replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../replay/http/legacy-sse-server.ts';
import { byName } from '../../transports/http/http1/raw-headers.ts';
import { listen } from '../../transports/http/server/http-listener.ts';
import { parseUpstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { AuthorizationSettings } from '../authorization/authorization-options.ts';
import { HeldMessages } from '../authorization/journal-after-authorization.ts';
import { RefusedClients } from '../authorization/refused-clients.ts';
import { type EndpointOptions, openEndpoint, type PlayedCassettes } from '../endpoint/fetch-endpoint.ts';
import { InTransitRequests } from './await-proxied-requests.ts';
import type { ServerHandlers } from './handlers-and-sessions.ts';

export interface ListeningServerOptions {
  /** Options of the endpoint that plays the cassettes. */
  endpoint: EndpointOptions;
  /** Path of the cassette, or its replacement in messages. */
  name: string;
  /** Cassettes to play. Absent: the cassette at `name`. */
  played?: PlayedCassettes | undefined;
  faults: { rules: readonly Rule[]; seed: number };
  /** Loopback address to listen on. Absent: 127.0.0.1 and a free port. */
  address?: { hostname: string; port: number };
  /** Path of the endpoint. Default: `/mcp`. */
  path?: string;
  /** Accepted host names in addition to the loopback names. */
  allowed?: readonly string[];
  /** Authorization of clients. Absent: every client is served. */
  auth?: AuthorizationSettings;
  /** Called with the reason for each refused request. */
  refused?(why: string): void;
  /** Called with each fired fault and the rules in effect. */
  fired?(fired: Fired, rules: readonly Rule[]): void;
  /** Called for the first match of each rule whose fault changed nothing, with the rules in effect. */
  unchanged?(one: Unchanged, rules: readonly Rule[]): void;
  /** Returns a sentence for each required fault that has not fired. Default: every rule ever in effect is required. */
  unfired?(): string[];
  /** Wraps the endpoint's HTTP handler. */
  intercept?(serve: HttpHandler): HttpHandler;
}

/** A listening mock server, with the operations that a test may use while it runs. */
export interface ListeningServer {
  url: string;
  /** URL for clients of HTTP with SSE. Absent: the cassette is of 2026-07-28 or later. */
  sseUrl?: string;
  /** Issuer of access tokens. Absent: the server needs none. */
  issuer?: string;
  journal: Journal;
  handlers: ServerHandlers;
  /** Fired faults, in order. */
  readonly fired: readonly Fired[];
  /** Resolves with the exit status when a fault ends the server. */
  exited: Promise<number | string>;
  /** Replaces the fault rules from now on. `seed` sets the seed of their randomness; by default it is unchanged. */
  use(rules: readonly Rule[], seed?: number): void;
  /** Returns the outcome so far. The sessions continue. */
  outcome(): ReplayOutcome;
  /**
   * Ends every session: later requests with its id are answered with 404. Returns the number of ended sessions, or
   * `undefined` if the server has no sessions.
   */
  expireSessions(): number | undefined;
  /** Restarts with new or current fault rules. Returns the outcome before the restart. */
  reset(rules?: readonly Rule[], seed?: number): ReplayOutcome;
  /** Ends the server, and returns the outcome. */
  finish(): Promise<ReplayOutcome>;
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;
/** Maximum wait for requests on their way from proxy to endpoint. A fault may hold a request forever. */
const ARRIVAL_MS_MAX: Milliseconds = 250;
const LOOPBACK = { hostname: '127.0.0.1', port: 0 };

/**
 * Starts a recorded server on a socket, behind a fault proxy. Without rules the proxy passes every message unchanged.
 * @throws McpRecordError those of `loadCassette`, HTTP_CANNOT_LISTEN
 */
export async function startListeningServer(options: ListeningServerOptions): Promise<ListeningServer> {
  const { faults, intercept = (serve) => serve, allowed = [], path = '/mcp', auth } = options;
  const { clock = systemClock } = options.endpoint;
  const endpoint = openEndpoint(options.name, options.endpoint, options.played);
  // The token code is loaded only if authorization is used.
  const { protectedServer } = auth ? await import('../authorization/protected-server.ts') : {};
  const ownFindings: Finding[] = [];
  const refused = (finding: Finding) => void ownFindings.push(finding);
  const authorization = auth && (await protectedServer?.({ settings: auth, clock, path, refused }));
  const held =
    authorization && new HeldMessages((request) => authorization.refusalStatus({ method: 'POST', ...request }));
  const proxied = new InTransitRequests(systemClock);
  const refusals = new RefusedClients(auth !== undefined);
  const served = intercept(endpoint.serve);
  const listener = await listen({
    ...LOOPBACK,
    path,
    otherPaths: [SSE_PATH, SSE_ENDPOINT, ...(authorization?.paths ?? [])],
    allowed,
    bodyMax: BODY_BYTES_MAX,
    refused: (request, why) => options.refused?.(`refused ${request}: ${why}`),
    strayed: (asked) => endpoint.strayed(asked, path),
    serve: proxied.counted(authorization?.protect(served, held?.decided) ?? served),
  });
  const received = new MessageLog(clock);
  const sessions = new HttpMessageLog(received);
  /** Open exchanges, by number. */
  const exchanges = new Map<number, LoggedExchange>();
  const hear = (frame: WireFrame, target: string) => {
    refusals.asked(frame, target);
    const { kind, from, stream = 0 } = frame;
    if (from === 'client' && (kind === 'message' || kind === 'open')) {
      proxied.noteArrival();
      const { headers = {} } = frame;
      const value = kind === 'message' ? frame.json.value : undefined;
      const log = (status?: number) => void exchanges.set(stream, sessions.startExchange(headers, value, status));
      if (held && kind === 'message') held.add({ stream, headers, body: frame.json.text, log });
      else log();
      return;
    }
    if (kind === 'close' && from === 'client') {
      // The message of the stream was pushed before: it has passed the faults.
      if (frame.how === undefined) held?.passed(stream);
      else void held?.decide(stream);
    }
    if (kind === 'message') exchanges.get(stream)?.addServerMessage(frame.json.value);
    else if (from === 'server' && kind === 'close') exchanges.delete(stream);
  };
  const fired: Fired[] = [];
  let hadFaults = faults.rules.length > 0;
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
        authorization?.faulted(one);
        options.fired?.(one, rules);
      },
      unchanged: (one, rules) => options.unchanged?.(one, rules),
      failed: ({ message: text }) => void ownFindings.push({ kind: 'thrown', text }),
    },
    tap: hear,
    delivered(frame) {
      refusals.delivered(frame);
      const { kind, from, stream = 0 } = frame;
      if (kind === 'close') {
        if (frame.how !== undefined) void held?.decide(stream);
      } else if (from === 'server') held?.release(stream, refusedTokenStatus(frame));
      else if (kind === 'message') held?.forwarded(stream, frame.json.text);
    },
    answered(stream, headers) {
      // Before the messages of the response, which need the exchange.
      held?.release(stream);
      const fields = byName(headers);
      exchanges.get(stream)?.addResponseHeaders(fields);
      refusals.answered(stream, fields);
    },
    // Refused clients get the reason in the response.
    trouble: ({ message }) => options.refused?.(message),
  });
  const judged = ({ findings }: ReplayOutcome): ReplayOutcome => {
    const { unfired = proxy.everUnfired } = options;
    const never = unfired().map((text): Finding => ({ kind: 'unfired', text }));
    const all = [...findings, ...ownFindings, ...refusals.findings, ...never];
    // A test in which no client gets in tests nothing. With a cassette, recorded messages that never come fail it.
    const isClosed = !hadFaults && !refusals.hasAccepted && options.played?.description !== undefined;
    return replayOutcome(all, isClosed ? { onUnused: 'fail', ...options.endpoint } : options.endpoint);
  };
  return {
    url: proxy.origin + upstream.path,
    ...(endpoint.hasSse && { sseUrl: proxy.origin + SSE_PATH }),
    ...(authorization && { issuer: authorization.issuerAt(proxy.origin) }),
    journal: received.journal,
    handlers: endpoint.handlers,
    fired,
    exited: proxy.exited,
    use(rules, seed) {
      hadFaults ||= rules.length > 0;
      proxy.use(rules, seed);
    },
    outcome: () => judged(endpoint.outcome()),
    expireSessions: () => endpoint.expireSessions(),
    reset(rules, seed) {
      const judgement = judged(endpoint.finish());
      endpoint.reset();
      authorization?.reset();
      received.journal.reset();
      sessions.reset();
      exchanges.clear();
      refusals.reset();
      fired.length = 0;
      ownFindings.length = 0;
      if (rules) hadFaults = rules.length > 0;
      proxy.restart(rules, seed);
      return judgement;
    },
    async finish() {
      // The proxy logs a request before its handler receives it.
      await proxied.arrival(ARRIVAL_MS_MAX);
      await held?.decideAll();
      const judgement = judged(endpoint.finish());
      await proxy.close();
      await listener.close();
      return judgement;
    },
  };
}
