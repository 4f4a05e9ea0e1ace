import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Frame, MessageFrame, WireFrame } from '../channel/frame.ts';
import type { FaultInjectorOptions } from '../faults/engine/fault-injector.ts';
import {
  SwitchableFaultInjector,
  type SwitchableFaultInjectorOptions,
} from '../faults/engine/switchable-fault-injector.ts';
import type { Unfired } from '../faults/engine/unfired-rule.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import type { Clock, Milliseconds } from '../kernel/clock.ts';
import type { McpRecordError } from '../kernel/errors.ts';
import { AuthorizationProxy } from '../transports/http/authorization/authorization-proxy.ts';
import { BodyMemory } from '../transports/http/http1/body-memory.ts';
import { trackClose } from '../transports/http/http1/mirror-close.ts';
import { rebindingViolation } from '../transports/http/proxy/dns-rebinding.ts';
import { refusalText, refused } from '../transports/http/proxy/error-response.ts';
import type { RawHeaders } from '../transports/http/proxy/http-traffic.ts';
import { type HostNames, isOurs } from '../transports/http/proxy/rewrite-host-and-origin.ts';
import { allowOrigin } from '../transports/http/server/cors.ts';
import { REQUEST_WITHIN, timeLimits } from '../transports/http/server/http-listener.ts';
import { listenError } from '../transports/http/server/listen-error.ts';
import { RequestBodies } from '../transports/http/server/request-bodies.ts';
import { targetOf, type Upstream } from '../transports/http/upstream/parse-upstream.ts';
import { HEAD_BYTES_MAX } from '../transports/http/upstream/upstream-connection.ts';
import { forwardedBody, type RequestToForward, routeRequest } from './http/authorization-route.ts';
import { FaultyExchange } from './http/faulty-exchange.ts';
import { encodeHttp } from './http/frame-codec.ts';
import { BODY_BYTES_MAX } from './http/response-to-frames.ts';
import { tooLong, tooLongTogether } from './http/too-long.ts';

export interface HttpProxyOptions {
  upstream: Upstream;
  /** Loopback address and port to listen on. Port 0 picks a free one. */
  listen: { hostname: string; port: number };
  /** Accepted host names besides the loopback names. */
  allowed?: readonly string[];
  /** CA certificates in PEM for the upstream connection, instead of the default ones. */
  ca?: readonly string[];
  /** Environment, which may name web proxies for authorization servers. */
  env?: NodeJS.ProcessEnv;
  clock: Clock;
  /** Fault rules for both sides. */
  faults: Pick<FaultInjectorOptions, 'rules' | 'seed' | 'failed' | 'lineOf'> &
    Pick<SwitchableFaultInjectorOptions, 'fired' | 'unchanged'>;
  /** Called with the error of each rejected or unforwardable request. */
  trouble(error: McpRecordError): void;
  /**
   * Whether the upstream is a mock server, whose clients may be web pages of this machine. Any other server decides
   * this itself.
   */
  servesPages?: boolean;
  /** Maximum length of one body that is held, in bytes. All together may be four times as long. Default: 64 MiB. */
  bodyMax?: number;
  /** Time limit for a whole request. Default: five minutes. */
  requestWithin?: Milliseconds;
  /** Called with every frame of both sides, before faults, and the path and query of its request. */
  tap?(frame: WireFrame, target: string): void;
  /** Called with every frame before its delivery to the other side, after faults. Faults create some of them. */
  delivered?(frame: WireFrame): void;
  /** Called with the original header fields of each response. */
  answered?(stream: number, headers: RawHeaders): void;
  /** Takes the messages of the responses to copies of requests, which the client does not hear. */
  copyAnswered?: ((answer: MessageFrame) => void) | undefined;
}

export interface HttpProxy {
  /** Origin of the proxy: `http://127.0.0.1:8080`. */
  origin: string;
  /** Resolves with the exit status when a fault ends the server. */
  exited: Promise<number | string>;
  /** Returns the rules that have not fired. */
  unfired(): readonly Unfired[];
  /** Returns messages about all rules that have not fired, including replaced rules. */
  everUnfired(): string[];
  /** Replaces the rules, as {@link SwitchableFaultInjector.use}. */
  use(rules: readonly Rule[], seed?: number): void;
  /** Restarts the rules, as {@link SwitchableFaultInjector.restart}. */
  restart(rules?: readonly Rule[], seed?: number): void;
  /** Stops listening and closes all connections. */
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards between HTTP clients and a server, and injects faults. The server may be a real one or a
 * mock server.
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function httpFaultProxy(options: HttpProxyOptions): Promise<HttpProxy> {
  const proxy = new FaultyProxy(options);
  await proxy.open();
  return proxy;
}

class FaultyProxy implements HttpProxy {
  readonly exited: Promise<number | string>;
  readonly #options: HttpProxyOptions;
  readonly #names: HostNames & { upstream: Upstream };
  /** Absent for mock servers, which state the client's own addresses. */
  readonly #authorization: AuthorizationProxy | undefined;
  readonly #traffic: SwitchableFaultInjector;
  readonly #exchanges = new Map<number, FaultyExchange>();
  readonly #sockets = new Set<Socket>();
  #exit: (status: number | string) => void = () => {};
  #streams = 0;
  #isClosed = false;

  readonly #server: Server;
  readonly #memory: BodyMemory;
  readonly #bodies: RequestBodies;

  constructor(options: HttpProxyOptions) {
    const { upstream, listen, allowed = [], clock, faults, servesPages, env } = options;
    this.#options = options;
    const { bodyMax = BODY_BYTES_MAX, requestWithin = REQUEST_WITHIN } = options;
    this.#server = createServer({
      maxHeaderSize: HEAD_BYTES_MAX,
      ...timeLimits(requestWithin),
      keepAliveTimeout: 0,
    });
    this.#memory = new BodyMemory(bodyMax);
    this.#bodies = new RequestBodies(bodyMax, this.#memory);
    this.#names = { upstream, port: listen.port, allowed };
    this.#authorization = servesPages ? undefined : new AuthorizationProxy({ names: this.#names, env });
    this.exited = new Promise((resolve) => {
      this.#exit = resolve;
    });
    const { rules, ...injected } = faults;
    this.#traffic = new SwitchableFaultInjector({
      ...injected,
      clock,
      transport: 'http',
      path: upstream.path,
      encode: (frame) => this.#encode(frame),
      measure: (frame) => encodeHttp(frame).length,
      send: (frame) => this.#send(frame),
      pause: (side, paused, stream) => {
        if (side === 'server') for (const exchange of this.#of(stream)) exchange.pause(paused);
      },
      down: (time) => this.#down(time),
    });
    this.#traffic.use(rules);
  }

  get origin(): string {
    const { hostname } = this.#options.listen;
    return `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${this.#names.port}`;
  }

  async open(): Promise<void> {
    this.#server.on('request', (request, response) => this.#take(request, response));
    this.#server.on('connection', (socket) => {
      trackClose(socket);
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    await this.#listen();
    this.#names.port = (this.#server.address() as AddressInfo).port;
    this.#traffic.begin();
  }

  readonly unfired = (): readonly Unfired[] => this.#traffic.unfired;

  readonly everUnfired = (): string[] => this.#traffic.everUnfired;

  use(rules: readonly Rule[], seed?: number): void {
    this.#traffic.use(rules, seed);
  }

  restart(rules?: readonly Rule[], seed?: number): void {
    this.#traffic.restart(rules, seed);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#traffic.stop();
    const isClosed = new Promise<void>((resolve) => {
      if (this.#server.listening) this.#server.close(() => resolve());
      else resolve();
    });
    for (const exchange of this.#exchanges.values()) exchange.drop();
    for (const socket of this.#sockets) socket.destroySoon();
    return isClosed;
  }

  #listen(): Promise<void> {
    const { hostname } = this.#options.listen;
    const { port } = this.#names;
    return new Promise((resolve, reject) => {
      const failed = (error: Error) => reject(listenError({ hostname, port }, error));
      this.#server.once('error', failed);
      this.#server.listen(port, hostname, () => {
        this.#server.off('error', failed);
        resolve();
      });
    });
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { upstream, trouble } = this.#options;
    const { method = '', url = '', rawHeaders } = request;
    const turnAway = (status: number, why: string) => {
      const error = refused(`${method} ${url}`, why);
      trouble(error);
      refuse(response, status, error);
    };
    const stranger = rebindingViolation(rawHeaders, this.#names);
    if (stranger !== undefined) return turnAway(403, stranger);
    if (this.#options.servesPages && allowOrigin(request, response)) return;
    const target = targetOf({ method, target: url }, upstream, (authority) => isOurs(authority, this.#names), {
      isRootEndpoint: !this.#options.servesPages,
    });
    if ('refusal' in target) return turnAway(target.refusal, target.why);
    const routed = routeRequest(this.#authorization, { request, path: target.path, upstream });
    if ('refusal' in routed) return turnAway(routed.refusal, routed.why);

    this.#bodies.receive(request, (received) => {
      if ('status' in received) {
        const error =
          received.status === 413
            ? tooLong('a request', this.#options.bodyMax)
            : tooLongTogether('a request', this.#memory);
        trouble(error);
        return refuse(response, received.status, error);
      }
      const asked = forwardedBody(routed, { response, body: received.body, trouble });
      if (asked) this.#begin(request, response, asked);
    });
  }

  #begin(request: IncomingMessage, response: ServerResponse, asked: RequestToForward): void {
    const stream = ++this.#streams;
    const push = (frame: WireFrame) => {
      this.#options.tap?.(frame, asked.path);
      this.#traffic.push(frame);
    };
    const passesOver = (message: unknown) =>
      this.#options.tap === undefined && this.#traffic.passesOver('server', message, stream);
    const done = () => {
      this.#exchanges.delete(stream);
      this.#traffic.forget(stream);
    };
    const exchange = new FaultyExchange({
      ...this.#options,
      memory: this.#memory,
      answered: (headers) => this.#options.answered?.(stream, headers),
      ...asked,
      names: { ...this.#names, upstream: asked.upstream },
      request,
      response,
      stream,
      push,
      passesOver,
      done,
    });
    this.#exchanges.set(stream, exchange);
    exchange.begin();
  }

  #encode(frame: Frame): Uint8Array {
    const data = encodeHttp(frame);
    for (const exchange of frame.stream === undefined ? [] : this.#of(frame.stream)) {
      exchange.takenApart(frame, data.length);
    }
    return data;
  }

  #send(frame: WireFrame): void {
    if (frame.kind === 'exit') {
      void this.close();
      return this.#exit(frame.status);
    }
    this.#options.delivered?.(frame);
    if (frame.stream !== undefined) this.#exchanges.get(frame.stream)?.take(frame);
  }

  #of(stream: number | undefined): FaultyExchange[] {
    if (stream === undefined) return [...this.#exchanges.values()];
    const exchange = this.#exchanges.get(stream);
    return exchange ? [exchange] : [];
  }

  #down(time: Milliseconds): void {
    this.#server.close(() => {
      if (!Number.isFinite(time)) return;
      this.#options.clock.after(time, () => {
        if (!this.#isClosed) this.#listen().catch(this.#options.trouble);
      });
    });
    for (const socket of this.#sockets) socket.destroySoon();
  }
}

/** Answers with a status and an error text. The connection is closed afterwards. */
function refuse(response: ServerResponse, status: number, error: McpRecordError): void {
  const { headers, body } = refusalText(error);
  response.shouldKeepAlive = false;
  response.writeHead(status, headers).end(body);
}
