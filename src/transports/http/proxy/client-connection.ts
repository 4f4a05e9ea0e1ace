import type { Socket } from 'node:net';
import type { Cancel, Clock, Milliseconds } from '../../../kernel/clock.ts';
import { onNextTick } from '../../../kernel/platform/next-tick.ts';
import { closeKindOf, mirrorClose, trackClose } from '../http1/mirror-close.ts';
import type { RequestHead } from '../http1/request-head.ts';
import { RequestParser } from '../http1/request-parser.ts';
import { ResponseWriter } from '../http1/response-writer.ts';
import { HEAD_BYTES_MAX } from '../upstream/upstream-connection.ts';
import { UpstreamPool } from '../upstream/upstream-pool.ts';
import type { Client, ExchangeOptions, ForwardedExchange, Listener } from './exchange-options.ts';
import { forwardExchange } from './forward-exchange.ts';
import type { CloseKind } from './http-traffic.ts';

/** Received request with its response writer. */
export interface ClientRequest {
  connection: ClientConnection;
  request: RequestHead;
  answer: ResponseWriter;
}

export interface ClientConnectionOptions {
  ca?: readonly string[];
  clock: Clock;
  /** Answers or forwards a request. Returns the listener for its body, if any. */
  serve(asked: ClientRequest): Listener | undefined;
  /** Answers an invalid or unsupported request with an error. */
  refuse(answer: ResponseWriter, status: number, why: string): void;
}

/** Time limit for a whole request head. */
export const HEAD_WITHIN: Milliseconds = 60_000;

/** Time limit for the next part of a body that its client has not finished. */
export const BODY_SILENCE_MAX: Milliseconds = 300_000;

/** Connection of one client, with its upstream connections and the exchange in progress. */
export class ClientConnection implements Client {
  readonly #socket: Socket;
  readonly #options: ClientConnectionOptions;
  readonly #connections: UpstreamPool;
  readonly #reader: RequestParser;
  /** Origin of the last request's server. */
  #lastOrigin: string | undefined;
  /** Forwarded exchange in progress. */
  #exchange: ForwardedExchange | undefined;
  /** Listener for the body of the current request. */
  #listener: Listener | undefined;
  /** Response in progress. */
  #answer: ResponseWriter | undefined;
  #isClosing = false;
  #stopWaiting: Cancel | undefined;
  #stopWaitingForBody: Cancel | undefined;
  #isPaused = false;

  constructor(socket: Socket, options: ClientConnectionOptions) {
    const { ca } = options;
    this.#socket = socket;
    this.#options = options;
    this.#connections = new UpstreamPool({
      ...(ca && { ca }),
      closed: (origin) => this.#accompany(origin),
    });
    this.#reader = new RequestParser(
      {
        head: (request) => this.#serve(request),
        data: (data) => this.#listener?.data(data),
        end: () => {
          this.#listener?.end();
          this.#goOn();
        },
        refused: (status, why) => this.#refuse(status, why),
      },
      HEAD_BYTES_MAX,
    );
    trackClose(socket);
    socket.on('data', (piece) => this.#hear(piece));
    socket.once('end', () => this.#lost());
    socket.on('error', () => this.#lost());
    socket.once('close', () => {
      this.#lost();
      this.#connections.destroy();
    });
    this.#awaitHead();
  }

  /** Forwards a request of this connection. */
  relay({ common, request, answer, asked, way, tap }: RelayOptions): ForwardedExchange {
    const connections = this.#connections;
    this.#lastOrigin = way.upstream.origin;
    const done = () => {
      this.#exchange = undefined;
      this.#goOn();
    };
    const options = { common, request, answer, client: this, asked, way, tap, connections, done };
    const exchange = (common.forward ?? forwardExchange)(options);
    if (!exchange.isOver) this.#exchange = exchange;
    return exchange;
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket.pause();
    this.#awaitBody();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket.resume();
    this.#awaitBody();
  }

  lose(how: CloseKind): void {
    this.#isClosing = true;
    this.#awaitBody();
    mirrorClose(this.#socket, how);
  }

  /** Closes the connection immediately. */
  drop(): void {
    this.#isClosing = true;
    this.#awaitBody();
    this.#exchange?.drop();
    this.#connections.destroy();
    mirrorClose(this.#socket, 'fin');
  }

  #hear(piece: Buffer): void {
    if (this.#isClosing) return;
    this.#reader.write(piece);
    this.#settle();
    this.#awaitBody();
    // Early bytes are held up to the size of a head.
    if (this.#reader.earlyBytes > HEAD_BYTES_MAX) this.#socket.pause();
  }

  #awaitHead(): void {
    this.#stopWaiting ??= this.#options.clock.after(HEAD_WITHIN, () =>
      this.#refuse(408, `its head was not there within ${HEAD_WITHIN / 1_000} s`),
    );
  }

  /** Restarts the time limit for the next part of a body, if the client owes one. A paused client does not. */
  #awaitBody(): void {
    this.#stopWaitingForBody?.();
    this.#stopWaitingForBody = undefined;
    if (this.#isClosing || this.#isPaused || !this.#reader.isInBody) return;
    this.#stopWaitingForBody = this.#options.clock.after(BODY_SILENCE_MAX, () => {
      // The server is answering already: the rest of the request does not matter to it.
      if (!this.#answer?.isBegun)
        this.#refuse(408, `nothing of its body came for ${BODY_SILENCE_MAX / 1_000} s, and it is not complete`);
    });
  }

  #headCame(): void {
    this.#stopWaiting?.();
    this.#stopWaiting = undefined;
  }

  #serve(request: RequestHead): void {
    this.#headCame();
    const answer = new ResponseWriter(this.#socket, request, () => {
      this.#answer = undefined;
      if (!answer.isLasting) this.lose('fin');
      this.#goOn();
    });
    this.#answer = answer;
    this.#listener = this.#options.serve({ connection: this, request, answer });
  }

  /** Starts the next request if the current exchange is finished. */
  #goOn(): void {
    if (this.#isBusy) return;
    // Deferred until the current response handler has returned.
    if (this.#reader.earlyBytes > 0) onNextTick(() => this.#next());
    else this.#next();
  }

  get #isBusy(): boolean {
    const isAnswering = this.#answer !== undefined || this.#exchange !== undefined;
    return isAnswering || !this.#reader.isOver || this.#isClosing;
  }

  #next(): void {
    if (this.#isBusy) return;
    this.#socket.resume();
    this.#reader.next();
    this.#settle();
    this.#awaitBody();
  }

  #settle(): void {
    this.#listener?.settle();
    if (this.#reader.isInHead) this.#awaitHead();
  }

  #refuse(status: number, why: string): void {
    if (this.#isClosing) return;
    const answer = this.#answer;
    this.#isClosing = true;
    this.#headCame();
    this.#awaitBody();
    this.#exchange?.clientGone('fin');
    if (answer?.isBegun) return this.lose('fin');
    this.#options.refuse(new ResponseWriter(this.#socket, NO_REQUEST, () => this.lose('fin')), status, why);
  }

  /**
   * Closes an idle client connection when the server closes its own, as happens without a proxy. Closed connections to
   * other servers are ignored, because the client may be about to send a request to this one.
   */
  #accompany(origin: string): void {
    if (this.#exchange !== undefined || origin !== this.#lastOrigin) return;
    this.#isClosing = true;
    this.#socket.end();
  }

  #lost(): void {
    this.#isClosing = true;
    this.#headCame();
    this.#awaitBody();
    this.#exchange?.clientGone(closeKindOf(this.#socket));
  }
}

export type RelayOptions = Omit<ExchangeOptions, 'client' | 'connections' | 'done'>;

const NO_REQUEST: RequestHead = { method: '', target: '', minor: 1, headers: [] };
