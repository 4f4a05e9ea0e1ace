import type { Agent } from 'node:http';
import { isIP, type Socket } from 'node:net';
import { nextHop } from './next-hop.ts';
import type { Upstream } from './parse-upstream.ts';
import { agentFor } from './upstream-agent.ts';
import { UpstreamConnection } from './upstream-connection.ts';

interface Origin {
  agent: Agent;
  free: UpstreamConnection[];
}

export interface UpstreamPoolOptions {
  /** CA certificates in PEM that replace the default ones. */
  ca?: readonly string[];
  /** Called when a connection to `origin` was closed. */
  closed(origin: string): void;
}

/** Upstream connections of one client. */
export class UpstreamPool {
  readonly #options: UpstreamPoolOptions;
  /** Connections by origin. Authorization servers have other origins. */
  readonly #origins = new Map<string, Origin>();
  readonly #open = new Set<UpstreamConnection>();

  constructor(options: UpstreamPoolOptions) {
    this.#options = options;
  }

  /**
   * Takes an idle connection or opens a new one. `taken` is called immediately, or after a web proxy has opened the
   * tunnel.
   */
  take(upstream: Upstream, taken: (connection: UpstreamConnection) => void, failed: (error: Error) => void): void {
    const origin = this.#originOf(upstream);
    const free = origin.free.pop();
    if (free?.socket.writable) return taken(free);
    const { isSecure, hostname, port } = nextHop(upstream);
    const servername = isIP(hostname) === 0 ? hostname : '';
    const { ca } = this.#options;
    const secure = isSecure && { servername, ...(ca && { ca: [...ca] }) };
    const options = { host: hostname, port, noDelay: true, ...secure };
    let isTold = false;
    const told = (error: Error | null, socket?: Socket) => {
      if (isTold) return;
      isTold = true;
      if (socket === undefined) return failed(error ?? new Error('there is no connection'));
      taken(this.#connection(socket, isSecure, { ...origin, name: upstream.origin }));
    };
    const socket = origin.agent.createConnection(options, (error, dug) => told(error, dug as Socket));
    if (socket) told(null, socket as Socket);
  }

  /** Closes all connections. */
  destroy(): void {
    for (const { agent } of this.#origins.values()) agent.destroy();
    for (const connection of this.#open) connection.destroy();
  }

  #connection(socket: Socket, isSecure: boolean, { free, name }: Origin & { name: string }): UpstreamConnection {
    const connection = new UpstreamConnection({
      socket,
      isSecure,
      free: () => free.push(connection),
      closed: () => {
        this.#open.delete(connection);
        const at = free.indexOf(connection);
        if (at >= 0) free.splice(at, 1);
        this.#options.closed(name);
      },
    });
    this.#open.add(connection);
    return connection;
  }

  #originOf(upstream: Upstream): Origin {
    const known = this.#origins.get(upstream.origin);
    if (known !== undefined) return known;
    const origin = { agent: agentFor(upstream, this.#options.ca), free: [] };
    this.#origins.set(upstream.origin, origin);
    return origin;
  }
}
