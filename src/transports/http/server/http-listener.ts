import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Headers, SseFields } from '../../../channel/frame.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { mirrorClose } from '../http1/mirror-close.ts';
import { writeSeparateChunk } from '../http1/write-separate-chunk.ts';
import { rebindingViolation } from '../proxy/dns-rebinding.ts';
import type { CloseKind } from '../proxy/http-traffic.ts';
import { sseText } from '../sse/sse-encoder.ts';
import { HEAD_BYTES_MAX } from '../upstream/upstream-connection.ts';
import { allowOrigin } from './cors.ts';
import { listenError } from './listen-error.ts';
import { RequestBodies } from './request-bodies.ts';

/** Complete request. */
export interface ReceivedHttpRequest {
  method: string;
  /** Path and query. */
  target: string;
  /** Values by name in lower case. Repeated fields are joined to a list. */
  headers: Headers;
  body: string;
}

/** Response to a request: complete, as events, or as a body in pieces. */
export interface HttpResponder {
  answer(answer: { status: number; headers?: Headers; body?: string | Uint8Array }): void;
  stream(headers: Readonly<Record<string, string>>): void;
  event(data: string | undefined, sse?: SseFields): void;
  begin(answer: { status: number; headers?: Headers }): void;
  /** Resolves once the connection's buffer accepts further data, or immediately if the connection is lost. */
  drained(): Promise<void>;
  /** Sends bytes of a body started by `begin`. */
  write(data: Uint8Array): void;
  end(): void;
  /** Closes or resets the connection, even during a response. */
  abort(how: CloseKind): void;
}

export interface ListenerOptions {
  /** Loopback address and port. Port 0 picks a free one. */
  hostname: string;
  port: number;
  /** Served path. Other paths are answered with 404. */
  path: string;
  /** Further served paths. `all`: `serve` checks the path itself. */
  otherPaths?: readonly string[] | 'all';
  /** Accepted host names besides the loopback names. */
  allowed: readonly string[];
  /** Maximum body length, in bytes. */
  bodyMax: number;
  /** Time limit for a whole request. Default: five minutes. */
  requestWithin?: Milliseconds;
  /** Whether refusals are JSON, as `{ error: { code, message, next } }`. Default: plain text. */
  errorsAreJson?: boolean;
  /**
   * Called with each refused request and the reason. Requests for authorization metadata are not reported, because
   * every client sends them.
   */
  refused?(request: string, why: string): void;
  /** Called with each request to an unknown path. */
  strayed?(asked: ReceivedHttpRequest): void;
  /** Serves a request. Returns a function that is called if the connection closes before the response is complete. */
  serve(asked: ReceivedHttpRequest, answering: HttpResponder): () => void;
}

export interface HttpListener {
  /** `http://127.0.0.1:8080/mcp`. */
  url: string;
  close(): Promise<void>;
}

/**
 * Starts the HTTP listener of a mock server. Requests under a foreign host name are refused, because a web page can
 * reach a loopback port that way ("DNS rebinding"). Pages of this machine may read the responses.
 * @throws McpRecordError HTTP_CANNOT_LISTEN
 */
export async function listen(options: ListenerOptions): Promise<HttpListener> {
  const { hostname, port, path } = options;
  const { requestWithin = REQUEST_WITHIN } = options;
  const server = createServer({
    maxHeaderSize: HEAD_BYTES_MAX,
    ...timeLimits(requestWithin),
    keepAliveTimeout: 0,
  });
  const bodies = new RequestBodies(options.bodyMax);
  server.on('request', (request, response) => void take({ ...options, bodies }, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(listenError(options, error)));
    server.listen(port, hostname, resolve);
  });
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://${hostname.includes(':') ? `[${hostname}]` : hostname}:${own}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Time limit for the head of a request. */
const HEAD_WITHIN: Milliseconds = 60_000;
/** Time limit for a whole request. Its client gets status 408. */
export const REQUEST_WITHIN: Milliseconds = 300_000;
const CHECKED_EVERY: Milliseconds = 30_000;

/** Returns the options of a server of Node that limit the time for a request, and for its head. */
export function timeLimits(requestWithin: Milliseconds): ServerOptions {
  return {
    requestTimeout: requestWithin,
    headersTimeout: Math.min(HEAD_WITHIN, requestWithin),
    connectionsCheckingInterval: Math.min(CHECKED_EVERY, requestWithin),
  };
}

interface TakeOptions extends ListenerOptions {
  bodies: RequestBodies;
}

function take(options: TakeOptions, request: IncomingMessage, response: ServerResponse): void {
  const { path, otherPaths = [], allowed, bodies, serve } = options;
  const answering = answeringOn(response);
  const { method = '', url: target = '' } = request;
  const turnAway = (status: number, why: string, next = '') => {
    request.resume();
    if (!target.startsWith(WELL_KNOWN)) options.refused?.(`${method} ${target}`, why);
    const { headers, body } = options.errorsAreJson ? jsonError(status, why, next) : textError(status, why, next);
    answering.answer({ status, headers, body });
  };
  const stranger = rebindingViolation(request.rawHeaders, { allowed });
  if (stranger !== undefined) return turnAway(403, `${stranger}, which is not this machine.`, USE_LOOPBACK);
  if (allowOrigin(request, response)) return;
  const isServed = otherPaths === 'all' || [path, ...otherPaths].includes(target.split('?', 1)[0]!);
  bodies.receive(request, (received) => {
    if ('status' in received) {
      if (received.status === 503) response.shouldKeepAlive = false;
      return answering.answer({ status: received.status, body: `${received.why}\n` });
    }
    const headers = Object.fromEntries(
      Object.entries(request.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]),
    );
    const asked = { method, target, headers, body: received.body.toString() };
    if (!isServed) {
      options.strayed?.(asked);
      return turnAway(404, `There is nothing but ${path}.`);
    }
    const gone = serve(asked, answering);
    response.once('close', () => {
      if (!response.writableFinished) gone();
    });
  });
}

const USE_LOOPBACK = 'Use a URL with localhost or 127.0.0.1.';

function textError(status: number, why: string, next: string): { headers: Headers; body: string } {
  const code = status === 403 ? ` [${REFUSED}]` : '';
  return { headers: PLAIN_TEXT, body: `mcp-record: ${why}${code}\n${next === '' ? '' : `  ${next}\n`}` };
}

function jsonError(status: number, message: string, next: string): { headers: Headers; body: string } {
  const error = { ...(status === 403 && { code: REFUSED }), message, ...(next !== '' && { next }) };
  return { headers: { 'content-type': 'application/json' }, body: `${JSON.stringify({ error })}\n` };
}

const REFUSED = 'HTTP_REQUEST_REFUSED';
const PLAIN_TEXT: Headers = { 'content-type': 'text/plain; charset=utf-8' };

/** Prefix of well-known paths (RFC 8615), where clients look for authorization metadata. */
const WELL_KNOWN = '/.well-known/';

function answeringOn(response: ServerResponse): HttpResponder {
  return {
    answer({ status, headers = {}, body = '' }) {
      response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
      response.end(body);
    },
    stream(headers) {
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
      });
      response.flushHeaders();
    },
    event: (data, sse) => void writeSeparateChunk(response, sseText(data, sse)),
    drained: () =>
      new Promise((resolve) => {
        if (!response.writableNeedDrain || response.destroyed) return resolve();
        // An event stream drains many times: each removes both listeners.
        const done = () => {
          response.off('drain', done);
          response.off('close', done);
          resolve();
        };
        response.on('drain', done);
        response.on('close', done);
      }),
    begin: ({ status, headers }) => void response.writeHead(status, headers),
    write: (data) => void writeSeparateChunk(response, data),
    end: () => void response.end(),
    abort(how) {
      if (response.socket) mirrorClose(response.socket, how);
    },
  };
}
