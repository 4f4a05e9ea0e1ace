import type { Socket } from 'node:net';
import { closeKindOf, trackClose } from '../http1/mirror-close.ts';
import type { ResponseHead } from '../http1/response-head.ts';
import { ResponseParser } from '../http1/response-parser.ts';
import type { CloseKind } from '../proxy/http-traffic.ts';

/** Maximum length of a forwarded request or response head. */
export const HEAD_BYTES_MAX: number = 64 * 1024;

/** Handlers for the response to a request. */
export interface ResponseHandler {
  /** Takes an interim response, such as 100: the server waits for the body. */
  interim(head: ResponseHead): void;
  head(head: ResponseHead): void;
  data(data: Buffer): void;
  /** Called after each batch of data. */
  settle(): void;
  /** Called when the response is complete. */
  end(): void;
  /** Called when the socket accepts more of the body. */
  drain(): void;
  /** Called if the response is not HTTP. The connection is closed. */
  invalid(error: Error): void;
  /** Called for a connection that ended before the response. `unreachable` explains why it never opened. */
  lost(how: CloseKind, unreachable?: Error): void;
}

export interface UpstreamConnectionOptions {
  socket: Socket;
  isSecure: boolean;
  /** Called when the connection is idle and can take another request. */
  free(): void;
  /** Called first when the connection was closed. */
  closed(): void;
}

/** Connection to the server. It handles a single request at a time. */
export class UpstreamConnection {
  readonly socket: Socket;
  readonly #options: UpstreamConnectionOptions;
  readonly #reader: ResponseParser;
  #asker: ResponseHandler | undefined;
  #isChunked = false;
  #isAsked = false;
  #isConnected: boolean;
  #error: Error | undefined;

  constructor(options: UpstreamConnectionOptions) {
    const { socket, isSecure } = options;
    this.socket = socket;
    this.#options = options;
    this.#isConnected = !socket.connecting;
    this.#reader = new ResponseParser(
      {
        interim: (head) => this.#asker?.interim(head),
        head: (head) => this.#asker?.head(head),
        data: (data) => this.#asker?.data(data),
        end: () => this.#asker?.end(),
        invalid: (error) => this.#invalid(error),
      },
      HEAD_BYTES_MAX,
    );
    trackClose(socket);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      this.#isConnected = true;
    });
    socket.on('data', (data) => this.#hear(data));
    socket.on('drain', () => this.#asker?.drain());
    socket.on('error', (error) => {
      this.#error = error;
    });
    socket.on('end', () => this.#ended());
    socket.on('close', () => {
      options.closed();
      this.#lose();
    });
  }

  /** Sends the head of a request. With `isChunked`, the body is sent in chunks. Output is gathered until `settle`. */
  ask(request: { method: string; head: string; isChunked: boolean }, asker: ResponseHandler): void {
    this.#asker = asker;
    this.#isChunked = request.isChunked;
    this.#isAsked = false;
    this.#reader.expect(request.method);
    // Body pieces already received leave in the same write.
    this.#gather();
    this.socket.write(request.head, 'latin1');
  }

  /** Sends a piece of the body. False: wait for `drain` before sending more. */
  write(data: Uint8Array): boolean {
    const { socket } = this;
    if (!this.#isChunked) return socket.write(data);
    if (data.length === 0) return true;
    this.#gather();
    socket.write(`${data.length.toString(16)}\r\n`, 'latin1');
    socket.write(data);
    return socket.write('\r\n', 'latin1');
  }

  /** Completes the body. */
  end(): void {
    if (this.#isChunked) this.socket.write('0\r\n\r\n', 'latin1');
    this.#isAsked = true;
    this.#release();
  }

  /** Sends the gathered output. */
  settle(): void {
    if (this.socket.writableCorked > 0) this.socket.uncork();
  }

  #gather(): void {
    if (this.socket.writableCorked === 0) this.socket.cork();
  }

  /** Whether the whole request was sent. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  pause(): void {
    this.socket.pause();
  }

  resume(): void {
    this.socket.resume();
  }

  /** Closes the connection. Its response handler is not called again. */
  destroy(): void {
    this.#asker = undefined;
    this.socket.destroy();
  }

  #hear(data: Buffer): void {
    if (this.#asker === undefined) return void this.socket.destroy();
    this.#reader.write(data);
    this.#asker?.settle();
    this.#release();
  }

  /** Frees the connection once the request was sent and answered. */
  #release(): void {
    if (this.#asker === undefined || !this.#isAsked || !this.#reader.isOver) return;
    this.#asker = undefined;
    if (!this.#reader.isLasting) return this.socket.destroySoon();
    this.resume();
    this.#options.free();
  }

  #ended(): void {
    // Without an open connection, the socket's error event reports the reason.
    if (!this.#isConnected) return;
    if (this.#reader.close()) return this.#release();
    this.#lose();
    this.socket.destroySoon();
  }

  #invalid(error: Error): void {
    const asker = this.#asker;
    this.destroy();
    asker?.invalid(error);
  }

  #lose(): void {
    const asker = this.#asker;
    this.#asker = undefined;
    if (asker === undefined) return;
    if (this.#isConnected) return asker.lost(closeKindOf(this.socket));
    asker.lost('rst', this.#error ?? new Error('the connection was closed'));
  }
}
