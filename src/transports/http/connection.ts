import type { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { agentFor } from './agent.ts';
import { type Exchange, type ExchangeOptions, relayExchange } from './exchange.ts';
import { loseAlike, lossOf, watchLoss } from './loss.ts';
import type { Upstream } from './upstream.ts';

export interface ConnectionOptions {
  ca?: readonly string[];
}

/** One client's connection, the connections to the server that belong to it, and what is under way between them. */
export class Connection {
  readonly #options: ConnectionOptions;
  /** By origin: authorization servers have their own. */
  readonly #agents = new Map<string, Agent>();
  readonly #socket: Socket;
  readonly #exchanges = new Set<Exchange>();
  readonly #known = new WeakSet<Socket>();

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket;
    this.#options = options;
    watchLoss(socket);
    socket.once('end', () => this.#lost());
    socket.once('error', () => this.#lost());
    socket.once('close', () => {
      this.#lost();
      this.#destroyAgents();
    });
  }

  /** Passes on a request that came by this connection. */
  relay(options: Omit<ExchangeOptions, 'agent' | 'done'>): void {
    const exchange = relayExchange({
      ...options,
      agent: this.#agentFor(options.upstream),
      done: () => this.#exchanges.delete(exchange),
    });
    this.#exchanges.add(exchange);
    exchange.far.once('socket', (socket) => this.#accompany(socket));
  }

  /** Closes it, whatever is under way. */
  drop(): void {
    for (const exchange of [...this.#exchanges]) exchange.drop();
    this.#destroyAgents();
    loseAlike(this.#socket, 'fin');
  }

  #agentFor(upstream: Upstream): Agent {
    const agent = this.#agents.get(upstream.origin) ?? agentFor(upstream, this.#options.ca);
    this.#agents.set(upstream.origin, agent);
    return agent;
  }

  #destroyAgents(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }

  /** An idle client is told that the server closed its connection, as it would be without us. */
  #accompany(socket: Socket): void {
    if (this.#known.has(socket)) return;
    this.#known.add(socket);
    socket.once('close', () => {
      if (this.#exchanges.size === 0) this.#socket.end();
    });
  }

  #lost(): void {
    for (const exchange of [...this.#exchanges]) exchange.clientGone(lossOf(this.#socket));
  }
}
