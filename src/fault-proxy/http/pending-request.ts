import { mirrorClose, reset } from '../../transports/http/http1/mirror-close.ts';
import type { CloseKind } from '../../transports/http/proxy/http-traffic.ts';
import type { Upstream } from '../../transports/http/upstream/upstream.ts';
import type { ResponseHandler, UpstreamConnection } from '../../transports/http/upstream/upstream-connection.ts';
import type { UpstreamPool } from '../../transports/http/upstream/upstream-pool.ts';

export interface PendingRequestOptions {
  connections: UpstreamPool;
  upstream: Upstream;
  method: string;
  /** Through the empty line after its fields. */
  head: string;
  asker: ResponseHandler;
}

/** A request to the server that may have to wait for a connection. */
export class PendingRequest {
  #connection: UpstreamConnection | undefined;
  /** Tasks for the connection, once it is open. */
  #waiting: ((connection: UpstreamConnection) => void)[] = [];
  #isSaid = false;
  #isDropped = false;

  constructor({ connections, upstream, method, head, asker }: PendingRequestOptions) {
    const taken = (connection: UpstreamConnection) => {
      if (this.#isDropped) return connection.destroy();
      this.#connection = connection;
      connection.ask({ method, head, isChunked: false }, asker);
      // Its head leaves with what of its body is said at once.
      if (this.#waiting.length === 0) return;
      for (const task of this.#waiting.splice(0)) task(connection);
      connection.settle();
    };
    connections.take(upstream, taken, (error) => asker.lost('rst', error));
  }

  /** Whether its body was ended. */
  get isSaid(): boolean {
    return this.#isSaid;
  }

  write(data: Uint8Array): void {
    if (data.length > 0) this.#do((connection) => void connection.write(data));
  }

  /** The body is complete. */
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

  /** Ends it at once, without a word. Its asker is told nothing more. */
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
