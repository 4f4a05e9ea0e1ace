import { type Agent, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { Headers } from '../../../channel/frame.ts';
import { closeKindOf, reset, trackClose } from '../http1/mirror-close.ts';
import { headerOf, isIdentity, mediaType } from '../http1/raw-headers.ts';
import type { CloseKind, RawHeaders } from '../proxy/http-traffic.ts';
import { SseDecoder, type SseEvent } from '../sse/sse-decoder.ts';
import { nextHop } from '../upstream/next-hop.ts';
import type { Upstream } from '../upstream/upstream.ts';

/** An answer or event beyond this is cut: as much as verifying over stdio holds of a line. */
const HOLD_BYTES_MAX: number = 256 * 1024 * 1024;

/** The beginning of an answer. */
export interface Head {
  status: number;
  headers: RawHeaders;
  /** An event stream follows, and not a body. */
  isStream: boolean;
}

/** How an exchange ended: as it should, with its connection lost, or before there was an answer. */
export type ExchangeEnd = { how: 'end' | CloseKind; error?: NodeJS.ErrnoException };

export interface ClientExchangeOptions {
  upstream: Upstream;
  agent: Agent;
  method: string;
  /** Path and query. */
  path: string;
  headers: Headers;
  content?: string | Uint8Array | undefined;
  /** How much of an answer or event is held; 256 MiB unless told. */
  holdBytesMax?: number;
  /** The whole request has left. */
  sent?(): void;
  head(head: Head): void;
  event(event: SseEvent): void;
  comment(text: string): void;
  /** The body of an answer that is no event stream, as a whole, or cut where it is too long or was cut off. */
  body(data: Buffer, isCut: boolean): void;
  /** The last to be called, and always; but not after `close`. */
  over(ending: ExchangeEnd): void;
}

/** Ends an exchange from our side. */
export interface ClientExchange {
  close(how: 'end' | CloseKind): void;
}

/** Makes one request of a client, and tells the answer as it comes. Never asks twice: the server may have acted on the first. */
export function ask(options: ClientExchangeOptions): ClientExchange {
  const { upstream, agent, method, path, headers, content = '' } = options;
  const hop = nextHop(upstream);
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
  request.once('socket', trackClose);
  if (options.sent) request.once('finish', options.sent);
  request.on('error', (error: NodeJS.ErrnoException) => {
    over({ how: error.syscall === undefined ? 'fin' : 'rst', error });
  });
  // Nobody asked for another protocol.
  request.once('upgrade', (_answer, socket) => {
    socket.destroy();
    over({ how: 'fin' });
  });
  request.once('response', (answer) => hear(answer, options, over, () => isOver));
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
