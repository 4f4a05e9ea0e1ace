import { type AddressInfo, createServer } from 'node:net';
import type { Headers } from '../../../channel/frame.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { McpRecordError } from '../../../kernel/errors.ts';
import { AuthorizationProxy } from '../authorization/authorization-proxy.ts';
import { isForm, readForm } from '../authorization/read-form-request.ts';
import { redirectToPage } from '../authorization/redirect-to-login-page.ts';
import { headerOf } from '../http1/raw-headers.ts';
import { listenError } from '../server/listen-error.ts';
import { targetOf, type Upstream } from '../upstream/parse-upstream.ts';
import { ClientConnection, type ClientRequest } from './client-connection.ts';
import { rebindingViolation } from './dns-rebinding.ts';
import { cannotAuthorize, crowded, refuse, refused, refuseForm } from './error-response.ts';
import type { ForwardContext, Listener } from './exchange-options.ts';
import type { HttpTrafficEvent } from './http-traffic.ts';
import { nextTickQueue } from './next-tick-queue.ts';
import { type HostNames, isOurs } from './rewrite-host-and-origin.ts';

export interface ProxyOptions {
  upstream: Upstream;
  /** Loopback address and port to listen on. Port 0 picks a free one. */
  listen: { hostname: string; port: number };
  /** Accepted host names besides the loopback names. */
  allowed: readonly string[];
  /** CA certificates in PEM for the upstream connection, instead of the default ones. */
  ca?: readonly string[];
  /** Headers added to every request to the endpoint, replacing the client's own. Never recorded. */
  headers?: Headers;
  /** Environment, which may name web proxies for authorization servers. */
  env?: NodeJS.ProcessEnv;
  /** Maximum number of client connections. Further ones are refused with status 503. */
  connectionsMax?: number;
  clock: Clock;
  /**
   * Called for each forwarded request. Returns a listener for its events, called in order, after forwarding. The
   * listener must not throw.
   */
  exchange(): (piece: HttpTrafficEvent) => void;
  /**
   * The same for a request to the authorization server at `origin`. Absent: nobody listens.
   */
  aside?: ((origin: string) => (piece: HttpTrafficEvent) => void) | undefined;
  /** Called with the error of each rejected or unforwardable request. */
  trouble(error: McpRecordError): void;
  /** Forwards each request in place of the usual way. */
  forward?: ForwardContext['forward'];
}

export interface Proxy {
  /** Origin of the proxy: `http://127.0.0.1:8080`. */
  origin: string;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/** Default limit of client connections. Each needs two file descriptors: one for the client, one for the server. */
export const CONNECTIONS_MAX: number = 10_000;

/**
 * Starts a reverse proxy for one server. Each client connection has separate upstream connections, so that the close of
 * one closes the other, and no connection is reused that the server has closed.
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function startReverseProxy(options: ProxyOptions): Promise<Proxy> {
  const { upstream, listen, allowed, connectionsMax = CONNECTIONS_MAX, trouble } = options;
  const names = { upstream, port: listen.port, allowed };
  const authorization = new AuthorizationProxy({ names, env: options.env });
  const connections = new Set<ClientConnection>();
  const later = nextTickQueue();
  const exchange = () => {
    const tap = options.exchange();
    return (piece: HttpTrafficEvent) => later(() => tap(piece));
  };
  const aside = (origin: string) => {
    const tap = options.aside?.(origin) ?? (() => {});
    return (piece: HttpTrafficEvent) => later(() => tap(piece));
  };
  const served = { ...options, exchange, aside, names, authorization, messagePaths: new Set<string>() };
  let serving = 0;

  const server = createServer({ noDelay: true }, (socket) => {
    const isCrowded = serving >= connectionsMax;
    if (!isCrowded) serving++;
    const connection = new ClientConnection(socket, {
      ...options,
      serve: (asked) => (isCrowded ? turnAway(asked) : serve(served, asked)),
      refuse(answer, status, why) {
        const error = refused('a request', `it is not valid HTTP: ${why}`);
        trouble(error);
        refuse(answer, status, error);
      },
    });
    connections.add(connection);
    socket.once('close', () => {
      connections.delete(connection);
      if (!isCrowded) serving--;
    });
  });
  const turnAway = ({ request, answer }: ClientRequest) => {
    const error = crowded(`${request.method} ${request.target}`, connectionsMax);
    trouble(error);
    refuse(answer, 503, error);
    return undefined;
  };

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(listen, error)));
    server.listen(listen.port, listen.hostname, resolve);
  });
  names.port = (server.address() as AddressInfo).port;
  return {
    origin: `http://${listen.hostname.includes(':') ? `[${listen.hostname}]` : listen.hostname}:${names.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.drop();
      }),
  };
}

type Served = ProxyOptions & {
  aside: NonNullable<ProxyOptions['aside']>;
  names: HostNames;
  authorization: AuthorizationProxy;
  messagePaths: Set<string>;
};

function serve(served: Served, { connection, request, answer }: ClientRequest): Listener | undefined {
  const { upstream, names, authorization, trouble } = served;
  const { method, target: url, headers } = request;
  const turnAway = (status: number, why: string) => {
    const error = refused(`${method} ${url}`, why);
    trouble(error);
    refuse(answer, status, error);
    return undefined;
  };

  if (method === 'CONNECT') return turnAway(405, 'this proxy serves no other servers');
  const stranger = rebindingViolation(headers, names);
  if (stranger !== undefined) return turnAway(403, stranger);
  const target = targetOf(request, upstream, (authority) => isOurs(authority, names));
  if ('refusal' in target) return turnAway(target.refusal, target.why);

  const host = headerOf(headers, 'host') ?? '';
  const turn = authorization.turn({ method, path: target.path, host });
  if ('refusal' in turn) return turnAway(turn.refusal, turn.why);
  if (!('upstream' in turn)) return void redirectToPage(answer, turn.page, trouble);

  const relay = (asked?: Uint8Array) => {
    const tap = turn.isAside ? served.aside(turn.upstream.origin) : served.exchange();
    return connection.relay({ common: served, request, answer, asked, way: turn, tap });
  };
  // Only token requests are rewritten. Requests to the MCP endpoint pass unchanged.
  const isForToken = isForm(request) && (turn.isAside || turn.path.split('?', 1)[0] !== upstream.path);
  if (!isForToken) return relay();
  return readForm((text) => {
    const form = authorization.form(text);
    if ('text' in form) {
      if (form.warning !== undefined) trouble(cannotAuthorize(form.warning));
      return relay(Buffer.from(form.text));
    }
    refuseForm(answer, form.refusal);
    trouble(cannotAuthorize(form.refusal));
    return undefined;
  });
}
