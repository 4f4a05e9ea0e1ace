import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Headers } from '../../channel/frame.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { afterWriting } from './after-writing.ts';
import { Authorization } from './authorization/authorization.ts';
import { isForm, readForm } from './authorization/form.ts';
import { cannotListen } from './cannot-listen.ts';
import { Connection } from './connection.ts';
import { headerOf } from './headers.ts';
import { isOurs, type Names, refusalOf } from './names.ts';
import type { HttpPiece } from './piece.ts';
import { cannotAuthorize, crowded, refuse, refused, refuseForm } from './refuse.ts';
import { HEAD_BYTES_MAX } from './server-connection.ts';
import { targetOf, type Upstream } from './upstream.ts';

export interface ProxyOptions {
  upstream: Upstream;
  /** Where to listen: a loopback address, and a port, 0 for any that is free. */
  listen: { hostname: string; port: number };
  /** Names of ours beside those of the loopback. */
  allowed: readonly string[];
  /** Certificates of authorities to trust upstream, in PEM, instead of the usual ones. */
  ca?: readonly string[];
  /** Sent to the server with every request, in the place of the client's where both have one, and seen by no one else. */
  headers?: Headers;
  /** May name proxies by which authorization servers are reached. */
  env?: NodeJS.ProcessEnv;
  /** As many clients may be connected at once; those beyond are told so, with status 503. */
  connectionsMax?: number;
  clock: Clock;
  /** A request is passed on: who sees its pieces, in order, each after it was passed on? That must not throw. */
  exchange(): (piece: HttpPiece) => void;
  /** Told what was refused, and what could not be passed on. */
  trouble(error: McpRecordError): void;
}

export interface Proxy {
  /** The address that stands for the server's origin: `http://127.0.0.1:8080`. */
  origin: string;
  /** Stops listening and closes what is open. */
  close(): Promise<void>;
}

/** Each is two open files: one towards the client, one towards the server. */
export const CONNECTIONS_MAX: number = 10_000;

/**
 * Listens, and passes what comes on to the one server it was given: a reverse proxy. Each client connection has server
 * connections of its own, so that what closes one closes the other, and no idle one is used that the server has closed.
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { upstream, listen, allowed, connectionsMax = CONNECTIONS_MAX, trouble } = options;
  const names = { upstream, port: listen.port, allowed };
  const authorization = new Authorization({ names, env: options.env, trouble });
  const connections = new Map<Socket, Connection>();
  const later = afterWriting();
  const exchange = () => {
    const tap = options.exchange();
    return (piece: HttpPiece) => later(() => tap(piece));
  };
  const served = { ...options, exchange, names, authorization };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const connection = connections.get(request.socket);
    if (connection !== undefined) return serve(served, { connection, request, response });
    const error = crowded(`${request.method} ${request.url}`, connectionsMax);
    trouble(error);
    refuse(response, 503, error);
  };

  const server = createServer({
    maxHeaderSize: HEAD_BYTES_MAX,
    headersTimeout: HEAD_WITHIN,
    // Bodies and streams take as long as they take, and an idle connection lasts as long as its counterpart.
    requestTimeout: 0,
    keepAliveTimeout: 0,
  });
  server.on('request', handle).on('checkContinue', handle);
  server.on('connection', (socket) => {
    if (connections.size >= connectionsMax) return;
    connections.set(socket, new Connection(socket, options));
    socket.once('close', () => connections.delete(socket));
  });
  server.on('connect', ({ url = '' }, socket) => {
    trouble(refused(`CONNECT ${url}`, 'this is no proxy for other servers'));
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 0\r\nConnection: close\r\n\r\n');
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const { code = '' } = error;
    const status = STATUS_OF[code] ?? (code.startsWith('HPE_') ? '400 Bad Request' : undefined);
    // A connection that was lost in the middle of a request is no bad request.
    if (status === undefined || code === 'HPE_INVALID_EOF_STATE' || !socket.writable)
      return void socket.destroy();
    trouble(refused('a request', `it is not valid HTTP: ${error.message}`));
    socket.end(`HTTP/1.1 ${status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(listen, error)));
    server.listen(listen.port, listen.hostname, resolve);
  });
  names.port = (server.address() as AddressInfo).port;
  return {
    origin: `http://${listen.hostname.includes(':') ? `[${listen.hostname}]` : listen.hostname}:${names.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections.values()) connection.drop();
      }),
  };
}

/** A client that has not sent a whole head by then never will. */
const HEAD_WITHIN: Milliseconds = 60_000;

const STATUS_OF: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

type Served = ProxyOptions & { names: Names; authorization: Authorization };

interface Asked {
  connection: Connection;
  request: IncomingMessage;
  response: ServerResponse;
}

function serve(served: Served, { connection, request, response }: Asked): void {
  const { upstream, names, authorization, trouble } = served;
  const { method, url = '', rawHeaders } = request;
  const turnAway = (status: number, why: string) => {
    const error = refused(`${method} ${url}`, why);
    trouble(error);
    refuse(response, status, error);
  };

  const stranger = refusalOf(rawHeaders, names);
  if (stranger !== undefined) return turnAway(403, stranger);
  const coding = headerOf(rawHeaders, 'transfer-encoding');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return turnAway(501, `its transfer coding is "${coding}"`);
  const target = targetOf(url, upstream, (authority) => isOurs(authority, names));
  if ('refusal' in target) return turnAway(target.refusal, target.why);

  const turn = authorization.turn(target.path, request.headers.host ?? '');
  if ('refusal' in turn) return turnAway(turn.refusal, turn.why);
  if ('redirect' in turn) return void response.writeHead(302, { location: turn.redirect }).end();

  const relay = (asked?: Uint8Array) => {
    const tap = turn.isAside ? () => {} : served.exchange();
    connection.relay({ common: served, request, response, asked, way: turn, tap });
  };
  // Only where tokens are asked for: what goes to the server itself passes as it is.
  const isForToken = isForm(request) && (turn.isAside || turn.path.split('?', 1)[0] !== upstream.path);
  if (!isForToken) return relay();
  readForm(request, (text) => {
    const form = authorization.form(text);
    if ('text' in form) return relay(Buffer.from(form.text));
    refuseForm(response, form.refusal);
    trouble(cannotAuthorize(form.refusal));
  });
}
