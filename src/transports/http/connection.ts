import type { Socket } from 'node:net';
import { type Exchange, type ExchangeOptions, relayExchange } from './exchange.ts';
import { loseAlike, lossOf, watchLoss } from './loss.ts';
import { ServerConnections } from './server-connections.ts';

export interface ConnectionOptions {
  ca?: readonly string[];
}

/** One client's connection, the connections to the server that belong to it, and what is under way between them. */
export class Connection {
  readonly #socket: Socket;
  readonly #connections: ServerConnections;
  readonly #exchanges = new Set<Exchange>();

  constructor(socket: Socket, { ca }: ConnectionOptions) {
    this.#socket = socket;
    this.#connections = new ServerConnections({ ...(ca && { ca }), closed: () => this.#accompany() });
    watchLoss(socket);
    socket.once('end', () => this.#lost());
    socket.once('error', () => this.#lost());
    socket.once('close', () => {
      this.#lost();
      this.#connections.destroy();
    });
  }

  /** Passes on a request that came by this connection. */
  relay({ common, request, response, asked, way, tap }: Omit<ExchangeOptions, 'connections' | 'done'>): void {
    const connections = this.#connections;
    const done = () => this.#exchanges.delete(exchange);
    const exchange = relayExchange({ common, request, response, asked, way, tap, connections, done });
    this.#exchanges.add(exchange);
  }

  /** Closes it, whatever is under way. */
  drop(): void {
    for (const exchange of [...this.#exchanges]) exchange.drop();
    this.#connections.destroy();
    loseAlike(this.#socket, 'fin');
  }

  /** An idle client is told that the server closed its connection, as it would be without us. */
  #accompany(): void {
    if (this.#exchanges.size === 0) this.#socket.end();
  }

  #lost(): void {
    for (const exchange of [...this.#exchanges]) exchange.clientGone(lossOf(this.#socket));
  }
}
