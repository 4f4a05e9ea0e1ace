import type { Socket } from 'node:net';
import type { Cancel, Clock, Milliseconds } from '../../../kernel/clock.ts';
import { closeKindOf, mirrorClose, trackClose } from '../http1/mirror-close.ts';
import type { RequestHead } from '../http1/request-head.ts';
import { RequestParser } from '../http1/request-parser.ts';
import { ResponseWriter } from '../http1/response-writer.ts';
import { HEAD_BYTES_MAX } from '../upstream/upstream-connection.ts';
import { UpstreamPool } from '../upstream/upstream-pool.ts';
import type { Client, ExchangeOptions } from './exchange-options.ts';
import { type ForwardedExchange, forwardExchange, type Listener } from './forward-exchange.ts';
import type { CloseKind } from './http-traffic.ts';

/** What came in, and how it is answered. */
export interface ClientRequest {
  connection: ClientConnection;
  request: RequestHead;
  answer: ResponseWriter;
}

export interface ClientConnectionOptions {
  ca?: readonly string[];
  clock: Clock;
  /** A request came: answers it, or relays it. Gives who takes its body; undefined: nobody does. */
  serve(asked: ClientRequest): Listener | undefined;
  /** Answers an invalid or unsupported request with an error. */
  refuse(answer: ResponseWriter, status: number, why: string): void;
}

/** Time limit for a whole request head. */
export const HEAD_WITHIN: Milliseconds = 60_000;

/** One client's connection, the connections to the server that belong to it, and what is under way between them. */
export class ClientConnection implements Client {
  readonly #socket: Socket;
  readonly #options: ClientConnectionOptions;
  readonly #connections: UpstreamPool;
  readonly #reader: RequestParser;
  /** The server that the last request went to. */
  #lastOrigin: string | undefined;
  /** What is relayed. */
  #exchange: ForwardedExchange | undefined;
  /** Takes the body of the request that is read. */
  #listener: Listener | undefined;
  /** The answer that is under way. */
  #answer: ResponseWriter | undefined;
  #isClosing = false;
  #stopWaiting: Cancel | undefined;

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

  /** Passes on a request that came by this connection. */
  relay({ common, request, answer, asked, way, tap }: RelayOptions): ForwardedExchange {
    const connections = this.#connections;
    this.#lastOrigin = way.upstream.origin;
    const done = () => {
      this.#exchange = undefined;
      this.#goOn();
    };
    const options = { common, request, answer, client: this, asked, way, tap, connections, done };
    const exchange = forwardExchange(options);
    if (!exchange.isOver) this.#exchange = exchange;
    return exchange;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  lose(how: CloseKind): void {
    this.#isClosing = true;
    mirrorClose(this.#socket, how);
  }

  /** Closes it, whatever is under way. */
  drop(): void {
    this.#isClosing = true;
    this.#exchange?.drop();
    this.#connections.destroy();
    mirrorClose(this.#socket, 'fin');
  }

  #hear(piece: Buffer): void {
    if (this.#isClosing) return;
    this.#reader.write(piece);
    this.#settle();
    // What comes before its turn is held, as much as a head.
    if (this.#reader.earlyBytes > HEAD_BYTES_MAX) this.#socket.pause();
  }

  #awaitHead(): void {
    this.#stopWaiting ??= this.#options.clock.after(HEAD_WITHIN, () =>
      this.#refuse(408, `its head was not there within ${HEAD_WITHIN / 1_000} s`),
    );
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

  /** The next request may come when this one was read and answered. */
  #goOn(): void {
    if (this.#isBusy) return;
    // The handler of this response is free again by then.
    if (this.#reader.earlyBytes > 0) process.nextTick(() => this.#next());
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
    this.#exchange?.clientGone('fin');
    if (answer?.isBegun) return this.lose('fin');
    this.#options.refuse(new ResponseWriter(this.#socket, NO_REQUEST, () => this.lose('fin')), status, why);
  }

  /**
   * An idle client is told that the server closed its connection, as it would be without us. Another server's connection is
   * another one without us: the client may be about to send to this one.
   */
  #accompany(origin: string): void {
    if (this.#exchange !== undefined || origin !== this.#lastOrigin) return;
    this.#isClosing = true;
    this.#socket.end();
  }

  #lost(): void {
    this.#isClosing = true;
    this.#headCame();
    this.#exchange?.clientGone(closeKindOf(this.#socket));
  }
}

export type RelayOptions = Omit<ExchangeOptions, 'client' | 'connections' | 'done'>;

const NO_REQUEST: RequestHead = { method: '', target: '', minor: 1, headers: [] };
