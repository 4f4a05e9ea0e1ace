import { mirrorClose, reset } from '../../transports/http/http1/mirror-close.ts';
import type { CloseKind } from '../../transports/http/proxy/http-traffic.ts';
import type { Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import type { ResponseHandler, UpstreamConnection } from '../../transports/http/upstream/upstream-connection.ts';
import type { UpstreamPool } from '../../transports/http/upstream/upstream-pool.ts';

export interface PendingRequestOptions {
  connections: UpstreamPool;
  upstream: Upstream;
  method: string;
  /** Request line and fields, including the final empty line. */
  head: string;
  asker: ResponseHandler;
}

/** Request that waits for a connection to the server. */
export class PendingRequest {
  #connection: UpstreamConnection | undefined;
  /** Tasks to run once the connection is open. */
  #waiting: ((connection: UpstreamConnection) => void)[] = [];
  #isSaid = false;
  #isDropped = false;

  constructor({ connections, upstream, method, head, asker }: PendingRequestOptions) {
    const taken = (connection: UpstreamConnection) => {
      if (this.#isDropped) return connection.destroy();
      this.#connection = connection;
      connection.ask({ method, head, isChunked: false }, asker);
      // The head and the first body pieces are sent in one write.
      if (this.#waiting.length === 0) return;
      for (const task of this.#waiting.splice(0)) task(connection);
      connection.settle();
    };
    connections.take(upstream, taken, (error) => asker.lost('rst', error));
  }

  /** Whether the body is complete. */
  get isSaid(): boolean {
    return this.#isSaid;
  }

  write(data: Uint8Array): void {
    if (data.length > 0) this.#do((connection) => void connection.write(data));
  }

  /** Completes the body. */
  end(): void {
    if (this.#isSaid) return;
    this.#isSaid = true;
    this.#do((connection) => connection.end());
  }

  /** Closes the request in its middle, after the bytes sent so far. */
  lose(how: CloseKind): void {
    this.#do(({ socket }) => {
      if (socket.connecting) socket.once('connect', () => mirrorClose(socket, how));
      else mirrorClose(socket, how);
    });
  }

  /** Closes the request immediately. Its response handler is not called again. */
  drop(how: CloseKind = 'fin'): void {
    this.#isDropped = true;
    const { socket } = this.#connection ?? {};
    if (how === 'rst' && socket) reset(socket);
    this.#connection?.destroy();
  }

  /** Ends it as {@link drop} does, but not before the request has been sent. Then calls back. */
  leave(how: CloseKind, left: () => void): void {
    this.#do((connection) => {
      connection.settle();
      const end = () => {
        this.drop(how);
        left();
      };
      if (connection.socket.connecting) connection.socket.once('connect', () => connection.socket.write('', end));
      else end();
    });
  }

  pause(is: boolean): void {
    if (is) this.#connection?.pause();
    else this.#connection?.resume();
  }

  #do(task: (connection: UpstreamConnection) => void): void {
    if (this.#isDropped) return;
    const connection = this.#connection;
    if (connection === undefined) return void this.#waiting.push(task);
    task(connection);
    connection.settle();
  }
}
