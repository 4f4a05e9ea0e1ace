import type { Socket } from 'node:net';
import { headerOf } from './raw-headers.ts';
import { mayLast, type RequestHead } from './request-head.ts';

/**
 * Writer of the response to one request (RFC 9112). Output is gathered until `settle` or `end`, and sent in one write.
 * Fields are not validated: the caller has to.
 */
export class ResponseWriter {
  readonly #socket: Socket;
  readonly #request: Pick<RequestHead, 'method' | 'minor'>;
  readonly #ended: () => void;
  #hasBody = true;
  #isChunked = false;
  /** Whether the head was written. */
  isBegun = false;
  /** Whether the connection may be reused afterwards. */
  isLasting: boolean;

  /** `ended` is called when the whole response has been written. */
  constructor(socket: Socket, request: RequestHead, ended: () => void) {
    this.#socket = socket;
    this.#request = request;
    this.#ended = ended;
    this.isLasting = mayLast(request);
  }

  /** Writes an interim response, with `headers` as names and values in turn. HTTP/1.0 has none (RFC 9110, 15.2). */
  interim(status: number, message: string, headers: readonly string[]): void {
    if (this.isBegun || this.#request.minor === 0) return;
    this.#socket.write(`HTTP/1.1 ${status} ${message}\r\n${fieldLines(headers)}\r\n`, 'latin1');
  }

  /**
   * Writes the head. `headers` are alternating names and values, without connection and framing fields except
   * `Content-Length`.
   */
  head(status: number, message: string, headers: readonly string[]): void {
    this.isBegun = true;
    const { method, minor } = this.#request;
    this.#hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
    const isOpen = this.#hasBody && headerOf(headers, 'content-length') === undefined;
    this.#isChunked = isOpen && minor === 1;
    // HTTP/1.0 has no chunks: the end of the connection ends the body.
    if (isOpen && minor === 0) this.isLasting = false;
    let head = `HTTP/1.1 ${status} ${message}\r\n${fieldLines(headers)}`;
    head += this.isLasting ? 'Connection: keep-alive\r\n' : 'Connection: close\r\n';
    if (this.#isChunked) head += 'Transfer-Encoding: chunked\r\n';
    this.#gather();
    this.#socket.write(`${head}\r\n`, 'latin1');
  }

  /** Writes a piece of the body. False: wait for `whenDrained` before writing more. */
  write(data: Uint8Array): boolean {
    const socket = this.#socket;
    if (!this.#hasBody || data.length === 0) return true;
    this.#gather();
    if (!this.#isChunked) return socket.write(data);
    socket.write(`${data.length.toString(16)}\r\n`, 'latin1');
    socket.write(data);
    return socket.write('\r\n', 'latin1');
  }

  /** Runs `task` once, when more can be written. */
  whenDrained(task: () => void): void {
    this.#socket.once('drain', task);
  }

  /** Sends the gathered output. */
  settle(): void {
    if (this.#socket.writableCorked > 0) this.#socket.uncork();
  }

  /** Completes the response. */
  end(): void {
    if (this.#isChunked) {
      this.#gather();
      this.#socket.write('0\r\n\r\n', 'latin1');
    }
    this.settle();
    this.#ended();
  }

  #gather(): void {
    if (this.#socket.writableCorked === 0) this.#socket.cork();
  }
}

function fieldLines(headers: readonly string[]): string {
  let lines = '';
  for (let n = 0; n < headers.length; n += 2) lines += `${headers[n]}: ${headers[n + 1]}\r\n`;
  return lines;
}
