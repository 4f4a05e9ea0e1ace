import { STATUS_CODES } from 'node:http';
import type { SseFields } from '../../channel/frame.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { HttpHandler } from '../../replay/http/http-mock-handler.ts';
import type { HttpResponseWriter } from '../../replay/http/http-response-writer-types.ts';
import { sseText } from '../../transports/http/sse/sse-encoder.ts';

/** Answers a request with `serve`, as `fetch` would: an SSE stream becomes a streamed body. */
export async function handleFetch(request: Request, serve: HttpHandler): Promise<Response> {
  const { method, headers, signal } = request;
  const body = await request.text();
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const reply = new FetchReply(request, resolve);
    const httpRequest = { method, headers: Object.fromEntries(headers), body };
    const onDisconnect = serve(httpRequest, reply);
    reply.whenLeft(onDisconnect);
    const abort = () => {
      if (reply.isOver) return;
      onDisconnect();
      reply.fail(signal.reason);
      reject(signal.reason);
    };
    signal.addEventListener('abort', abort, { once: true });
  });
}

/** Statuses whose responses have no body (Fetch, "null body status"). */
export const BODILESS: readonly number[] = [204, 205, 304];

/** An empty SSE comment, sent at once: MSW 3 and nock 15 deliver a response's headers only with its first bytes. */
export const SSE_FLUSH_COMMENT: string = ':\n\n';

/** Reports whether `Response` accepts a status (Fetch, "initialize a response"). */
function isFetchStatus(status: number): boolean {
  return status >= 200 && status <= 599;
}

/** Returns the replacement for a recorded status that `Response` does not accept. */
function impossibleStatus(status: number): Response {
  const { message } = new McpRecordError({
    code: 'HTTP_STATUS_NOT_IN_FETCH',
    what: `Cannot replay the HTTP status ${status}`,
    why: 'a Response of fetch has a status from 200 to 599',
    next: "Write another status into the cassette, or replay it over a socket: mockServer(FILE, { over: 'http' }).",
  });
  const body = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: INTERNAL_ERROR, message } });
  const headers = { 'content-type': 'application/json' };
  return new Response(body, { status: 500, statusText: STATUS_CODES[500]!, headers });
}

const INTERNAL_ERROR = -32603;

class FetchReply implements HttpResponseWriter {
  /**
   * Kept alive for its signal: `Request` follows the client's abort through a weak reference, which breaks on garbage
   * collection.
   */
  readonly request: Request;
  readonly #resolve: (response: Response) => void;
  readonly #encoder = new TextEncoder();
  #stream: ReadableStreamDefaultController<Uint8Array> | undefined;
  #left: () => void = () => {};
  /** The response is complete, or the client has left. */
  isOver = false;

  constructor(request: Request, resolve: (response: Response) => void) {
    this.request = request;
    this.#resolve = resolve;
  }

  /** Sets the callback for a client that closes the stream. */
  whenLeft(task: () => void): void {
    this.#left = task;
  }

  answer({ status, headers = {}, body }: Parameters<HttpResponseWriter['answer']>[0]): void {
    if (this.isOver) return;
    this.isOver = true;
    if (!isFetchStatus(status)) return this.#resolve(impossibleStatus(status));
    const statusText = STATUS_CODES[status] ?? '';
    const whole = BODILESS.includes(status) ? null : (body ?? null);
    this.#resolve(new Response(whole, { status, statusText, headers }));
  }

  stream(headers: Readonly<Record<string, string>>): void {
    this.begin({
      status: 200,
      headers: { ...headers, 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
    });
    this.#stream?.enqueue(this.#encoder.encode(SSE_FLUSH_COMMENT));
  }

  begin({ status, headers = {} }: Parameters<HttpResponseWriter['begin']>[0]): void {
    if (!isFetchStatus(status)) {
      this.isOver = true;
      return this.#resolve(impossibleStatus(status));
    }
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#stream = controller;
      },
      cancel: () => {
        if (this.isOver) return;
        this.isOver = true;
        this.#left();
      },
    });
    this.#resolve(new Response(body, { status, headers }));
  }

  event(data: string | undefined, sse?: SseFields): void {
    this.write(this.#encoder.encode(sseText(data, sse)));
  }

  write(data: Uint8Array): void {
    if (!this.isOver) this.#stream?.enqueue(data);
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.#stream?.close();
  }

  /** Fails the body like a lost connection. There is no socket to close. */
  abort(): void {
    if (this.isOver) return;
    if (this.#stream === undefined) this.stream({});
    this.fail(new TypeError('terminated'));
  }

  /** Errors the stream: the connection was lost, or the client aborted. */
  fail(reason: unknown): void {
    this.isOver = true;
    this.#stream?.error(reason);
  }
}
