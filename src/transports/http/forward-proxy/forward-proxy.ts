import { createServer as createHttpServer, type Server as HttpServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type Server as TlsServer } from 'node:tls';
import type { Cancel, Clock } from '../../../kernel/clock.ts';
import type { McpRecordError } from '../../../kernel/errors.ts';
import { onNextTick } from '../../../kernel/platform/next-tick.ts';
import { ClientConnection, type ClientRequest, HEAD_WITHIN } from '../proxy/client-connection.ts';
import { crowded, refusalText, refuse, refused } from '../proxy/error-response.ts';
import type { ForwardContext, Listener } from '../proxy/exchange-options.ts';
import type { HttpTrafficEvent } from '../proxy/http-traffic.ts';
import { nextTickQueue } from '../proxy/next-tick-queue.ts';
import { CONNECTIONS_MAX, type Proxy as ProxyServer } from '../proxy/reverse-proxy.ts';
import { listenError } from '../server/listen-error.ts';
import { HEAD_BYTES_MAX } from '../upstream/upstream-connection.ts';
import type { KeyAndCertificate } from './certificate-authority.ts';
import { type NamedHost, type NamedHosts, normalAuthority } from './named-hosts.ts';
import { NO_REWRITING, proxyTarget } from './proxy-target.ts';
import { distrusted, insecure, notNamed, secure } from './tunnel-errors.ts';

export interface ForwardProxyOptions {
  /** Servers that clients reach. Every other one is refused. */
  hosts: NamedHosts;
  /** Loopback address and port to listen on. Port 0 picks a free one. */
  listen: { hostname: string; port: number };
  /** Certificate for the hosts, which clients trust. */
  certificate: KeyAndCertificate;
  /** CA certificates in PEM for the upstream connection, instead of the default ones. */
  ca?: readonly string[];
  /** Maximum number of client connections. Further ones are refused with status 503. */
  connectionsMax?: number;
  clock: Clock;
  /** Called for each forwarded request. Returns a listener for its events, as that of a reverse proxy. */
  exchange(host: NamedHost): (piece: HttpTrafficEvent) => void;
  /** Called with the error of each rejected or unforwardable request, and of each client that distrusts the certificate. */
  trouble(error: McpRecordError): void;
}

/** First byte of a TLS record with a handshake (RFC 8446, 5.1). No HTTP request begins with it. */
const TLS_HANDSHAKE = 0x16;
const FIRST_OF_CONNECT = 'C'.charCodeAt(0);

/**
 * Starts a forward proxy for the named hosts: clients reach them by their own addresses, through tunnels (`CONNECT`, RFC
 * 9110, 9.3.6) whose TLS ends here, or by plain requests for a complete URL.
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function startForwardProxy(options: ForwardProxyOptions): Promise<ProxyServer> {
  const { listen } = options;
  const doors = new Doors(options);
  const server = createServer({ noDelay: true }, (socket) => doors.accept(socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(listen, error)));
    server.listen(listen.port, listen.hostname, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://${listen.hostname.includes(':') ? `[${listen.hostname}]` : listen.hostname}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        doors.close();
      }),
  };
}

/** Connections of clients, from the first byte on. */
class Doors {
  readonly #options: ForwardProxyOptions;
  readonly #common: ForwardContext;
  /** Reads requests for tunnels. Requests in tunnels, and plain ones, are read as those to a reverse proxy. */
  readonly #tunnels: HttpServer;
  /** Servers that end the TLS of a tunnel, by the authority of the tunnel. */
  readonly #secured = new Map<string, TlsServer>();
  readonly #connections = new Set<ClientConnection>();
  readonly #sockets = new Set<Socket>();
  /** Time limits of requests for tunnels. */
  readonly #heads = new WeakMap<Socket, Cancel>();
  readonly #later = nextTickQueue();

  constructor(options: ForwardProxyOptions) {
    this.#options = options;
    this.#common = { clock: options.clock, trouble: options.trouble };
    this.#tunnels = createHttpServer({ maxHeaderSize: HEAD_BYTES_MAX })
      .on('connect', (request, socket, early) => this.#open(request, socket as Socket, early))
      .on('request', ({ method = '', url = '' }, response) => {
        const error = refused(`${method} ${url}`, 'it is no CONNECT', AS_PROXY);
        options.trouble(error);
        response.writeHead(400, { connection: 'close' }).end(refusalText(error).body);
      })
      .on('clientError', (cause, socket) => {
        if (!socket.writable) return;
        const error = refused('a request', `it is not valid HTTP: ${cause.message}`, AS_PROXY);
        options.trouble(error);
        endWith(socket as Socket, '400 Bad Request', error);
      });
  }

  accept(socket: Socket): void {
    const { connectionsMax = CONNECTIONS_MAX, trouble } = this.#options;
    this.#keep(socket);
    this.#onFirst(socket, (first) => {
      if (this.#sockets.size > connectionsMax) {
        const error = crowded('a request', connectionsMax);
        trouble(error);
        return endWith(socket, '503 Service Unavailable', error);
      }
      if (first !== FIRST_OF_CONNECT) return this.#serve(socket, undefined);
      // A server that does not listen itself has no time limits.
      this.#heads.set(socket, this.#within(socket));
      this.#tunnels.emit('connection', socket);
    });
  }

  close(): void {
    for (const connection of this.#connections) connection.drop();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Keeps a socket until it is closed. Its errors are those of a client that left. */
  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
  }

  /** Calls `task` with the first byte of a client, which stays in the socket. A client that sends nothing is let go. */
  #onFirst(socket: Socket, task: (byte: number) => void): void {
    const stop = this.#within(socket);
    socket.once('data', (piece: Buffer) => {
      stop();
      socket.pause();
      socket.unshift(piece);
      task(piece[0]!);
      // After whoever reads it has its listeners.
      onNextTick(() => socket.resume());
    });
  }

  /** Destroys a socket after the time limit for a head, unless the returned function is called before. */
  #within(socket: Socket): Cancel {
    const stop = this.#options.clock.after(HEAD_WITHIN, () => socket.destroy());
    socket.once('close', stop);
    return stop;
  }

  /** Opens a tunnel to a named host, or refuses it. */
  #open({ url = '' }: IncomingMessage, socket: Socket, early: Buffer): void {
    const { hosts, trouble } = this.#options;
    this.#heads.get(socket)?.();
    const authority = normalAuthority(url);
    const host = authority === undefined ? undefined : hosts.get(authority);
    if (authority === undefined || host === undefined) {
      const error = notNamed(`CONNECT ${url}`, authority ?? url, [...hosts.values()]);
      trouble(error);
      return endWith(socket, '403 Forbidden', error);
    }
    socket.on('error', () => {});
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    if (early.length > 0) socket.unshift(early);
    this.#onFirst(socket, (first) => {
      const isSecure = first === TLS_HANDSHAKE;
      if (isSecure && host.upstream.isSecure) this.#endTls(authority, host).emit('connection', socket);
      else if (!isSecure && !host.upstream.isSecure) this.#serve(socket, host);
      else {
        const error = isSecure ? secure(authority) : insecure(authority);
        trouble(error);
        endWith(socket, '400 Bad Request', error);
      }
    });
  }

  /** Returns the server that ends the TLS of tunnels to this host. */
  #endTls(authority: string, host: NamedHost): TlsServer {
    const known = this.#secured.get(authority);
    if (known !== undefined) return known;
    const told = new Set<string>();
    let isTrusted = false;
    /** A client tries again and again, so each reason is printed once. */
    const tell = (why: string) => {
      if (!told.has(why)) this.#options.trouble(distrusted(authority, why));
      told.add(why);
    };
    const server = createTlsServer({ ...this.#options.certificate, ALPNProtocols: ['http/1.1'] })
      .on('secureConnection', (socket: TLSSocket) => {
        let hasAsked = false;
        socket.once('data', () => {
          hasAsked = true;
          isTrusted = true;
        });
        // Node and others decide only after the handshake whether they trust the certificate. Clients that do may open
        // a connection and not use it.
        socket.once('close', () => {
          if (!hasAsked && !isTrusted) tell('it closed the connection after the handshake, without a request');
        });
        this.#serve(socket, host);
      })
      .on('tlsClientError', (error: Error & { reason?: string }, socket: TLSSocket) => {
        tell(error.reason ?? error.message);
        socket.destroy();
      });
    this.#secured.set(authority, server);
    return server;
  }

  /** Serves the requests of a connection. `host`: the one that its tunnel leads to. */
  #serve(socket: Socket, host: NamedHost | undefined): void {
    const { ca, clock, trouble } = this.#options;
    const connection = new ClientConnection(socket, {
      ...(ca && { ca }),
      clock,
      serve: (asked) => this.#forward(asked, host),
      refuse(answer, status, why) {
        const error = refused('a request', `it is not valid HTTP: ${why}`, AS_PROXY);
        trouble(error);
        refuse(answer, status, error);
      },
    });
    this.#connections.add(connection);
    socket.once('close', () => this.#connections.delete(connection));
  }

  #forward({ connection, request, answer }: ClientRequest, tunnel: NamedHost | undefined): Listener | undefined {
    const { hosts, trouble, exchange } = this.#options;
    const target = proxyTarget(request, { hosts, tunnel });
    if ('refusal' in target) {
      trouble(target.error);
      refuse(answer, target.refusal, target.error);
      return undefined;
    }
    const { host, path } = target;
    const record = exchange(host);
    return connection.relay({
      common: this.#common,
      request,
      answer,
      asked: undefined,
      way: { upstream: host.upstream, path, isAside: false, rewriting: NO_REWRITING },
      tap: (piece) => this.#later(() => record(piece)),
    });
  }
}

const AS_PROXY = 'Give the client the printed address as its proxy (HTTPS_PROXY), and keep the URL of the server.';

function endWith(socket: Socket, status: string, error: McpRecordError): void {
  const { headers, body } = refusalText(error);
  const [, type, , length] = headers;
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
  );
}
