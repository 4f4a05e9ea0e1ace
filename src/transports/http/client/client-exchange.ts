import { type Agent, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Headers } from '../../../channel/frame.ts';
import type { Clock } from '../../../kernel/clock.ts';
import { closeKindOf, reset, trackClose } from '../http1/mirror-close.ts';
import { headerOf, isIdentity, mediaType } from '../http1/raw-headers.ts';
import type { CloseKind, RawHeaders } from '../proxy/http-traffic.ts';
import { SseDecoder, type SseEvent } from '../sse/sse-decoder.ts';
import { nextHop } from '../upstream/next-hop.ts';
import type { Upstream } from '../upstream/parse-upstream.ts';
import { closeOldConnections, noteKeepAlive, noteRequest } from './kept-connections.ts';

/**
 * Maximum length of a response or event, equal to the limit of lines when verifying over stdio. Longer ones are cut.
 */
const HOLD_BYTES_MAX: number = 256 * 1024 * 1024;

/** Error codes of a server that was connected and then closed the connection. */
export const LOST: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);

/** Head of a response. */
export interface Head {
  status: number;
  headers: RawHeaders;
  /** Whether an event stream follows instead of a body. */
  isStream: boolean;
}

/** End of an exchange: regular, with its connection lost, or without a response. */
export type ExchangeEnd = { how: 'end' | CloseKind; error?: NodeJS.ErrnoException };

export interface ClientExchangeOptions {
  upstream: Upstream;
  agent: Agent;
  clock: Clock;
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  content?: string | Uint8Array | undefined;
  /** Maximum number of bytes held of a response or event. Default: 256 MiB. */
  holdBytesMax?: number;
  /** Called when the whole request has been sent. */
  sent?(): void;
  head(head: Head): void;
  event(event: SseEvent): void;
  comment(text: string): void;
  /** Takes the body of a response that is not an event stream. `isCut`: it is incomplete or exceeds the limit. */
  body(data: Buffer, isCut: boolean): void;
  /** Called last, exactly once, but not after `close`. */
  over(ending: ExchangeEnd): void;
}

/** Handle that ends an exchange from the client's side. */
export interface ClientExchange {
  close(how: 'end' | CloseKind): void;
}

/**
 * Sends one request of a client and reports the arriving response. Failed requests are not retried: the server may
 * already have executed them.
 */
export function ask(options: ClientExchangeOptions): ClientExchange {
  const { upstream, agent, clock, method, path, headers, content = '' } = options;
  const hop = nextHop(upstream);
  closeOldConnections(agent, clock.now());
  const request = (hop.isSecure ? requestSecure : requestPlain)({
    agent,
    method,
    path: hop.target(path),
    host: hop.hostname,
    port: hop.port,
    headers: {
      host: upstream.host,
      'accept-encoding': 'identity',
      ...(method === 'POST' && { 'content-length': String(Buffer.byteLength(content)) }),
      ...headers,
      ...hop.headers,
    },
  });
  let isOver = false;
  const over = (ending: ExchangeEnd) => {
    if (isOver) return;
    isOver = true;
    options.over(ending);
  };
  request.once('socket', (socket) => {
    trackClose(socket);
    noteRequest(socket, clock.now());
  });
  if (options.sent) request.once('finish', options.sent);
  request.on('error', (error: NodeJS.ErrnoException) => {
    over({ how: error.syscall === undefined ? 'fin' : 'rst', error });
  });
  // The request named no other protocol.
  request.once('upgrade', (_answer, socket) => {
    socket.destroy();
    over({ how: 'fin' });
  });
  request.once('response', (answer) => {
    noteKeepAlive(answer.socket, answer.rawHeaders);
    hear(answer, options, over, () => isOver);
  });
  request.end(content);
  return {
    close(how) {
      isOver = true;
      if (how === 'rst' && request.socket) reset(request.socket);
      request.destroy();
    },
  };
}

function hear(
  answer: IncomingMessage,
  options: ClientExchangeOptions,
  over: (ending: ExchangeEnd) => void,
  isOver: () => boolean,
): void {
  const { rawHeaders: headers, statusCode: status = 0 } = answer;
  const { holdBytesMax = HOLD_BYTES_MAX } = options;
  const type = mediaType(headerOf(headers, 'content-type'));
  const isStream = status === 200 && type === 'text/event-stream' && isIdentity(headers);
  const events = new SseDecoder({ holdBytesMax, event: options.event, comment: options.comment });
  const body: Buffer[] = [];
  let heldBytes = 0;
  const end = (ending: ExchangeEnd) => {
    if (isOver()) return;
    if (isStream) events.end();
    else options.body(Buffer.concat(body), ending.how !== 'end');
    over(ending);
  };
  answer.on('error', () => {});
  answer.on('data', (data: Buffer) => {
    if (isOver()) return;
    if (isStream) return events.write(data);
    heldBytes += data.length;
    body.push(data);
    if (heldBytes <= holdBytesMax) return;
    end({ how: 'fin' });
    answer.destroy();
  });
  answer.once('end', () => {
    if (answer.complete) end({ how: 'end' });
  });
  answer.once('close', () => end({ how: answer.complete ? 'end' : closeKindOf(answer.socket) }));
  options.head({ status, headers, isStream });
}
