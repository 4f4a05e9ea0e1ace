import type { Clock } from '../../kernel/clock.ts';
import { BODILESS, SSE_FLUSH_COMMENT } from '../../mock/endpoint/fetch-handler.ts';
import type { HttpTrafficEvent, RawHeaders } from '../../transports/http/proxy/http-traffic.ts';

/** Sends a request to the real server, bypassing the interception of the client's own requests. */
export type Send = (request: Request) => Promise<Response>;

export interface TapOptions {
  send: Send;
  clock: Clock;
  /** Observes the pieces of the exchange, like a proxy. Must not throw. */
  tap(piece: HttpTrafficEvent): void;
  /** Aborts the exchange, like a client that gives up. */
  signal: AbortSignal;
}

/**
 * Forwards a request to the real server and streams the response back. An abort on either side is forwarded. Redirects
 * are left to the client.
 * @throws the errors of `send`
 */
export async function fetchWithTap(request: Request, options: TapOptions): Promise<Response> {
  const { send, clock, tap, signal } = options;
  const { method, url, headers } = request;
  const { pathname, search } = new URL(url);
  const body = new Uint8Array(await request.arrayBuffer());
  const at = clock.now();
  tap({ kind: 'request', at, method, path: pathname + search, headers: rawHeaders(headers) });
  if (body.length > 0) tap({ kind: 'data', at, from: 'client', data: body });
  tap({ kind: 'end', at, from: 'client' });
  const left = AbortSignal.any([request.signal, signal]);
  const said = { clock, tap, left, request };
  try {
    const sent = { method, headers, signal: left, redirect: 'manual' } as const;
    const answer = await send(new Request(url, { ...sent, ...(body.length > 0 && { body }) }));
    return answered(answer, said);
  } catch (error) {
    tap(lost(error, said));
    throw error;
  }
}

interface AnswerOptions extends Pick<TapOptions, 'clock' | 'tap'> {
  /** Aborted when the client gives up. */
  left: AbortSignal;
  /**
   * Kept alive for its signal: `Request` follows the client's abort through a weak reference, which breaks on garbage
   * collection.
   */
  request: Request;
}

function answered({ status, statusText, headers: said, body }: Response, options: AnswerOptions): Response {
  const { clock, tap } = options;
  const headers = new Headers(said);
  // `fetch` has already decompressed the body.
  headers.delete('content-encoding');
  headers.delete('content-length');
  tap({ kind: 'response', at: clock.now(), status, headers: rawHeaders(headers) });
  if (body !== null && !BODILESS.includes(status)) {
    const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true;
    return new Response(passing(body, isStream, options), { status, statusText, headers });
  }
  tap({ kind: 'end', at: clock.now(), from: 'server' });
  return new Response(null, { status, statusText, headers });
}

/** Returns the same body, observed chunk by chunk. */
function passing(
  body: ReadableStream<Uint8Array>,
  isStream: boolean,
  options: AnswerOptions,
): ReadableStream<Uint8Array> {
  const { clock, tap, left } = options;
  const reader = body.getReader();
  let isOver = false;
  const over = (last: HttpTrafficEvent) => {
    if (isOver) return false;
    isOver = true;
    tap(last);
    return true;
  };
  const leave = (reason: unknown) => {
    over({ kind: 'gone', at: clock.now(), from: 'client', how: 'fin' });
    return reader.cancel(reason).catch(() => {});
  };
  return new ReadableStream({
    start(controller) {
      if (isStream) controller.enqueue(new TextEncoder().encode(SSE_FLUSH_COMMENT));
      const abort = () => {
        if (!isOver) controller.error(left.reason);
        void leave(left.reason);
      };
      left.addEventListener('abort', abort, { once: true });
    },
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (isOver) return;
        if (!done) {
          tap({ kind: 'data', at: clock.now(), from: 'server', data: value });
          return controller.enqueue(value);
        }
        over({ kind: 'end', at: clock.now(), from: 'server' });
        controller.close();
      } catch (error) {
        if (over(lost(error, options))) controller.error(error);
      }
    },
    cancel: leave,
  });
}

function rawHeaders(headers: Headers): RawHeaders {
  return [...headers].flat();
}

/**
 * Returns the event for an aborted exchange: the side that left, and the kind of close. The error code of `fetch`
 * distinguishes a reset connection.
 */
function lost(error: unknown, { clock, left }: AnswerOptions): HttpTrafficEvent {
  const { cause } = (error ?? {}) as { cause?: { code?: unknown } };
  const how = cause?.code === 'ECONNRESET' ? 'rst' : 'fin';
  const at = clock.now();
  return left.aborted ? { kind: 'gone', at, from: 'client', how: 'fin' } : { kind: 'gone', at, from: 'server', how };
}
