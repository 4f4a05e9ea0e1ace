import type { Agent, ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { Readable } from 'node:stream';
import type { Headers, Side } from '../../channel/frame.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { Rewriting } from './authorization/authorization.ts';
import { EndpointRewriter } from './endpoint.ts';
import { endToEnd, headerOf, isIdentity, listOf, mapHeaders, mediaType, withHeaders } from './headers.ts';
import { hopTo } from './hop.ts';
import { loseAlike, lossOf, reset, watchLoss } from './loss.ts';
import { relayMetadata } from './metadata-answer.ts';
import { type Names, towardsClient, towardsServer } from './names.ts';
import type { HttpPiece, Loss, RawHeaders } from './piece.ts';
import { badUpstream, refuse } from './refuse.ts';
import type { Upstream } from './upstream.ts';

/** The longest head, of a request or of an answer, that is passed on. */
export const HEAD_BYTES_MAX: number = 64 * 1024;

export interface ExchangeOptions {
  request: IncomingMessage;
  response: ServerResponse;
  /** The body of the request, where it was read already. */
  asked?: Uint8Array;
  /** What to ask the server for. */
  path: string;
  upstream: Upstream;
  names: Names;
  rewriting: Rewriting;
  /** Sent to the server in the place of the client's, where both have one. */
  headers?: Headers;
  agent: Agent;
  clock: Clock;
  /** Sees each piece after it was passed on. Must not throw. */
  tap(piece: HttpPiece): void;
  /** Told when the server cannot be reached, or does not speak HTTP. */
  trouble(error: McpRecordError): void;
  /** Told once, when nothing more will pass. */
  done(): void;
}

export interface Exchange {
  /** The connection to the server, once there is one. */
  far: ClientRequest;
  /** The client's connection was lost. */
  clientGone(how: Loss): void;
  /** Closes the connection to the server, and says nothing more. */
  drop(): void;
}

/**
 * Passes one request on and its answer back, chunk by chunk as they come, and loses each connection as the other was
 * lost. Never asks twice.
 */
export function relayExchange(options: ExchangeOptions): Exchange {
  const { request, response, asked, path, upstream, agent, clock, tap } = options;
  const body = asked === undefined ? request : Readable.from([asked]);
  const passed = towardsServer(endToEnd(request.rawHeaders), { ...options.names, upstream });
  const hop = hopTo(upstream);
  const headers = framed(withHeaders(passed, { ...options.headers, ...hop.headers }), request, asked);
  const far = (hop.isSecure ? requestSecure : requestPlain)({
    agent,
    method: request.method,
    path: hop.target(path),
    host: hop.hostname,
    port: hop.port,
    // Node's type knows flat lists only where they are received.
    headers: headers as unknown as Record<string, string>,
    setHost: false,
    maxHeaderSize: HEAD_BYTES_MAX,
  });
  let isOver = false;
  const finish = () => {
    isOver = true;
    options.done();
  };
  const lose = (from: Side, how: Loss) => {
    finish();
    tap({ kind: 'gone', at: clock.now(), from, how });
  };
  const clientGone = (how: Loss) => {
    if (isOver) return;
    if (far.socket && how === 'rst') reset(far.socket);
    far.destroy();
    lose('client', how);
  };
  const serverGone = (how: Loss) => {
    if (isOver) return;
    if (response.socket) loseAlike(response.socket, how);
    far.destroy();
    lose('server', how);
  };

  let connected = false;
  far.once('socket', (socket) => {
    watchLoss(socket);
    connected = !socket.connecting;
    // One that served before never says it again: listeners would heap up on it.
    if (connected) return;
    socket.once(hop.isSecure ? 'secureConnect' : 'connect', () => {
      connected = true;
    });
  });
  far.on('error', (error: NodeJS.ErrnoException) => {
    if (isOver || response.headersSent) return;
    const isGarbage = error.code?.startsWith('HPE_') === true;
    if (connected && !isGarbage) return serverGone(error.syscall === undefined ? 'fin' : 'rst');
    const said = badUpstream(upstream, error, isGarbage);
    options.trouble(said);
    refuse(response, 502, said);
    lose('server', 'rst');
  });
  far.once('continue', () => response.writeContinue());
  far.once('response', (answer) =>
    relayAnswer(options, answer, { serverGone, finish, isOver: () => isOver }),
  );

  tap({ kind: 'request', at: clock.now(), method: request.method ?? '', path, headers: request.rawHeaders });
  body.on('data', (data: Buffer) => {
    if (isOver) return;
    if (!far.write(data) && !body.isPaused()) {
      body.pause();
      far.once('drain', () => body.resume());
    }
    tap({ kind: 'data', at: clock.now(), from: 'client', data });
  });
  body.once('end', () => {
    far.end();
    if (!isOver) tap({ kind: 'end', at: clock.now(), from: 'client' });
  });
  const drop = () => {
    finish();
    far.destroy();
  };
  return { far, clientGone, drop };
}

/** What an answer needs to know of its exchange. */
export interface Course {
  serverGone(how: Loss): void;
  finish(): void;
  isOver(): boolean;
}

function relayAnswer(options: ExchangeOptions, answer: IncomingMessage, course: Course): void {
  const { request, response, clock, tap } = options;
  const { rawHeaders, statusCode: status = 502, statusMessage } = answer;
  const rewriter = rewriterFor(options, answer);
  const { metadata } = options.rewriting;
  response.sendDate = false;
  // The server closes this connection after the answer, and so shall we.
  if (listOf(headerOf(rawHeaders, 'connection')).includes('close')) response.shouldKeepAlive = false;
  answer.on('error', () => {});
  if (metadata !== undefined && status === 200 && isIdentity(rawHeaders)) {
    const headers = clientHeaders(options, answer, true);
    return relayMetadata({ ...options, answer, headers, course, metadata });
  }
  try {
    response.writeHead(status, statusMessage, clientHeaders(options, answer, rewriter !== undefined));
  } catch (error) {
    options.trouble(badUpstream(options.upstream, error as Error, true));
    return course.serverGone('fin');
  }
  tap({ kind: 'response', at: clock.now(), status, headers: rawHeaders });

  let hasBody = false;
  const pass = (data: Uint8Array) => {
    if (data.length === 0) return;
    hasBody = true;
    if (!response.write(data) && !answer.isPaused()) {
      answer.pause();
      response.once('drain', () => answer.resume());
    }
  };
  // A head without a body yet leaves by itself: an event stream may stay silent for hours.
  clock.endOfTurn(() => {
    if (!hasBody && !response.writableEnded && !course.isOver()) response.flushHeaders();
  });
  answer.on('data', (data: Buffer) => {
    if (course.isOver()) return;
    pass(rewriter ? rewriter.write(data) : data);
    tap({ kind: 'data', at: clock.now(), from: 'server', data });
  });
  answer.once('end', () => {
    if (course.isOver() || !answer.complete) return;
    if (rewriter) pass(rewriter.end());
    response.end();
    course.finish();
    tap({ kind: 'end', at: clock.now(), from: 'server' });
    // An answer before the end of the question: what is left of that is nobody's any more.
    if (!request.complete) response.once('finish', () => answer.destroy());
  });
  answer.once('close', () => {
    if (!answer.complete) course.serverGone(lossOf(answer.socket));
  });
}

/** The headers of a request, with its framing said the way this connection will frame it. */
function framed(
  headers: string[],
  { method = '', rawHeaders }: IncomingMessage,
  asked?: Uint8Array,
): string[] {
  const sent = mapHeaders(headers, (name, value) => {
    if (name === 'content-length' && asked !== undefined) return String(asked.length);
    return name === 'accept-encoding' ? 'identity' : value;
  });
  if (headerOf(rawHeaders, 'transfer-encoding') !== undefined) sent.push('Transfer-Encoding', 'chunked');
  else if (headerOf(rawHeaders, 'content-length') === undefined && /^P(?:OST|UT|ATCH)$/.test(method))
    sent.push('Content-Length', '0');
  return sent;
}

function clientHeaders(
  { rewriting }: ExchangeOptions,
  { rawHeaders }: IncomingMessage,
  isRewritten: boolean,
): string[] {
  // Two framings in one message are an attack (RFC 9112, 6.1): the length goes.
  const lengthIsVoid = isRewritten || headerOf(rawHeaders, 'transfer-encoding') !== undefined;
  // Our connection lasts as long as the server's: a client that is not told sends on one that is closing.
  const lasts = headerOf(rawHeaders, 'keep-alive');
  const passed = mapHeaders(endToEnd(rawHeaders), (name, value) => {
    if (name === 'content-length' && lengthIsVoid) return undefined;
    if (name === 'www-authenticate') return rewriting.challenge(value);
    return name === 'location' ? rewriting.location(value) : value;
  });
  return lasts === undefined ? passed : [...passed, 'Keep-Alive', lasts];
}

/** For an event stream that may open with an `endpoint` of 2024-11-05: later revisions say what they continue. */
function rewriterFor(
  { request, upstream, path }: ExchangeOptions,
  answer: IncomingMessage,
): EndpointRewriter | undefined {
  const headers: RawHeaders = answer.rawHeaders;
  const isStream = mediaType(headerOf(headers, 'content-type')) === 'text/event-stream';
  const continues =
    request.headers['mcp-session-id'] !== undefined || request.headers['last-event-id'] !== undefined;
  if (request.method !== 'GET' || !isStream || continues || !isIdentity(headers)) return undefined;
  const { host = '' } = request.headers;
  const isElsewhere = request.url !== path;
  return new EndpointRewriter((uri) => {
    if (URL.canParse(uri)) return towardsClient(uri, upstream, host);
    if (!isElsewhere || !URL.canParse(uri, upstream.origin + path)) return uri;
    const { pathname, search } = new URL(uri, upstream.origin + path);
    return pathname + search;
  });
}
