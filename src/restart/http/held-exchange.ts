import { endToEnd } from '../../transports/http/http1/raw-headers.ts';
import { badUpstream, refuse } from '../../transports/http/proxy/error-response.ts';
import type {
  ExchangeOptions,
  ForwardedExchange,
  ResponseHandler,
} from '../../transports/http/proxy/exchange-options.ts';
import { forwardResponse } from '../../transports/http/proxy/forward-response.ts';
import type { CloseKind, HttpTrafficEvent, RawHeaders } from '../../transports/http/proxy/http-traffic.ts';
import { upstreamRequest } from '../../transports/http/proxy/upstream-request-head.ts';
import { type AskedServer, askServer, type Reply } from './request-on-new-connection.ts';

export interface ExchangeRequest {
  headers: RawHeaders;
  body: Uint8Array;
}

/**
 * Request of a client that is read completely first, so that the request can be sent to several servers in turn. The
 * response to the client begins with the first answer of a server that keeps the session.
 */
export class HeldExchange implements ForwardedExchange {
  readonly options: ExchangeOptions;
  readonly #ca: readonly string[] | undefined;
  /** Resolves with the complete body of the request. Stays pending if the client disconnects early. */
  readonly body: Promise<Buffer>;
  #pieces: Buffer[] = [];
  #bodyEnded: () => void = () => {};
  #asked: AskedServer | undefined;
  #response: ResponseHandler | undefined;
  #isOptional = false;
  #drained: Promise<void> | undefined;
  #clientReads: () => void = () => {};
  /** Called when the exchange is over. */
  #ended: (() => void)[] = [];
  isOver = false;

  constructor(options: ExchangeOptions, ca: readonly string[] | undefined) {
    this.options = options;
    this.#ca = ca;
    const { request, way, asked, answer } = options;
    this.body = new Promise((resolve) => {
      this.#bodyEnded = () => resolve(Buffer.concat(this.#pieces));
    });
    this.#tap({ kind: 'request', at: this.#now(), method: request.method, path: way.path, headers: request.headers });
    // The server receives the request only when the body is complete, so this program answers `Expect: 100-continue`
    // itself.
    if (request.headers.some((text) => text.toLowerCase() === '100-continue')) answer.interim(100, 'Continue', []);
    if (asked === undefined) return;
    this.data(Buffer.from(asked));
    this.end();
  }

  data(data: Buffer): void {
    if (this.isOver) return;
    this.#pieces.push(data);
    this.#tap({ kind: 'data', at: this.#now(), from: 'client', data });
  }

  end(): void {
    if (this.isOver) return;
    this.#tap({ kind: 'end', at: this.#now(), from: 'client' });
    this.#bodyEnded();
  }

  settle(): void {}

  clientGone(how: CloseKind): void {
    if (this.isOver) return;
    this.#asked?.destroy(how);
    this.#tap({ kind: 'gone', at: this.#now(), from: 'client', how });
    this.#finish();
  }

  drop(): void {
    if (this.isOver) return;
    this.#asked?.destroy();
    this.#finish();
  }

  /** Whether the client has got the head of a response. */
  get isBegun(): boolean {
    return this.#response !== undefined;
  }

  /** Registers a task that runs at the end of the exchange. */
  whenOver(task: () => void): void {
    this.#ended.push(task);
  }

  /** Sends a request to the server and drops the previous attempt. */
  async ask({ headers, body }: ExchangeRequest): Promise<Reply> {
    this.#asked?.destroy();
    const { request, way } = this.options;
    const sent = upstreamRequest({ ...this.options, request: { ...request, headers }, asked: body });
    const asked = askServer({ upstream: way.upstream, ca: this.#ca }, sent, body);
    this.#asked = asked;
    const reply = await asked.reply;
    if (this.isOver) asked.destroy();
    return reply;
  }

  /** Closes the connection to the server. The unsent rest of the response is lost. */
  leaveServer(): void {
    this.#asked?.destroy();
  }

  /** Begins the response. */
  begin(status: number, statusMessage: string, headers: RawHeaders): void {
    if (this.isOver) return;
    const far = {
      pause: () => {
        this.#drained = new Promise((resolve) => {
          this.#clientReads = resolve;
        });
      },
      resume: () => this.#clientReads(),
    };
    const answered = () => {
      this.#tap({ kind: 'end', at: this.#now(), from: 'server' });
      this.#finish();
    };
    // `Connection` headers describe the connection between this program and the server, so the client does not get
    // them.
    const own = { minor: 1, status, statusMessage, headers: endToEnd(headers) };
    const tap = (piece: HttpTrafficEvent) => this.#tap(piece);
    this.#response = forwardResponse({ ...this.options, tap }, own, { far, answered });
    this.options.answer.settle();
  }

  /**
   * Sends a piece of the body. Resolves when the client can take more. `optional`: this program sends the piece in
   * place of the server.
   */
  async send(data: Uint8Array, optional = false): Promise<void> {
    if (this.isOver || data.length === 0) return;
    this.#isOptional = optional;
    this.#response?.data(Buffer.from(data));
    this.#isOptional = false;
    this.options.answer.settle();
    await this.#drained;
    this.#drained = undefined;
  }

  /** Completes the response. */
  finish(): void {
    if (!this.isOver) this.#response?.end();
  }

  /** Sends a whole response in place of the server. */
  respond(status: number, statusMessage: string, json: string): void {
    const body = Buffer.from(json);
    const type = json === '' ? [] : ['Content-Type', 'application/json'];
    this.begin(status, statusMessage, [...type, 'Content-Length', String(body.length)]);
    void this.send(body, true);
    this.finish();
  }

  /** Closes the client's connection in the same way as the server's connection was lost. */
  lose(how: CloseKind): void {
    if (this.isOver) return;
    this.options.client.lose(how);
    this.#asked?.destroy();
    this.#tap({ kind: 'gone', at: this.#now(), from: 'server', how });
    this.#finish();
  }

  /** Answers that the server cannot be reached, or does not speak HTTP. */
  refuse(error: Error, isGarbage: boolean): void {
    if (this.isOver) return;
    if (this.isBegun) return this.lose('fin');
    const { common, way, answer } = this.options;
    const problem = badUpstream(way.upstream, error, isGarbage);
    common.trouble(problem);
    refuse(answer, 502, problem);
    this.#tap({ kind: 'gone', at: this.#now(), from: 'server', how: 'rst' });
    this.#finish();
  }

  /** Notes something about the session of the exchange. */
  note(text: string): void {
    this.#tap({ kind: 'note', at: this.#now(), text });
  }

  #tap(piece: HttpTrafficEvent): void {
    const isMarked = this.#isOptional && piece.kind === 'data';
    this.options.tap(isMarked ? { ...piece, optional: true } : piece);
  }

  #finish(): void {
    this.isOver = true;
    this.#clientReads();
    // Discards the rest of the request.
    this.options.client.resume();
    this.options.done();
    for (const task of this.#ended.splice(0)) task();
  }

  #now(): number {
    return this.options.common.clock.now();
  }
}
