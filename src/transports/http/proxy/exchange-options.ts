import type { Headers } from '../../../channel/frame.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { McpRecordError } from '../../../kernel/errors.ts';
import type { Route } from '../authorization/authorization-proxy.ts';
import type { RequestHead } from '../http1/request-head.ts';
import type { ResponseWriter } from '../http1/response-writer.ts';
import type { UpstreamConnection } from '../upstream/upstream-connection.ts';
import type { UpstreamPool } from '../upstream/upstream-pool.ts';
import type { CloseKind, HttpTrafficEvent } from './http-traffic.ts';
import type { HostNames } from './rewrite-host-and-origin.ts';

/** State shared by all exchanges of a proxy. */
export interface ForwardContext {
  /** Names of a reverse proxy. Absent: clients use the servers' own addresses, and nothing is rewritten. */
  names?: HostNames;
  /** Headers for the server that replace the client's own, at its endpoint only. Default: none. */
  headers?: Headers;
  /** Paths that the server has named for messages (2024-11-05, HTTP with SSE). They belong to its endpoint. */
  messagePaths?: Set<string>;
  clock: Clock;
  /** Called if the server is unreachable or does not speak HTTP. */
  trouble(error: McpRecordError): void;
  /** Forwards a request in place of `forwardExchange`. */
  forward?: ((exchange: ExchangeOptions) => ForwardedExchange) | undefined;
}

/** Handlers for the body of a request. */
export interface Listener {
  data(data: Buffer): void;
  end(): void;
  /** Called after each batch of data. */
  settle(): void;
}

/** A request that is being forwarded. */
export interface ForwardedExchange extends Listener {
  /** Whether the exchange is over. */
  readonly isOver: boolean;
  /** Ends the exchange because the client's connection was lost. */
  clientGone(how: CloseKind): void;
  /** Closes the connection to the server without further events. */
  drop(): void;
}

export interface ExchangeOptions {
  common: ForwardContext;
  request: RequestHead;
  /** Response writer for the client. The client is paused while the server accepts no more data. */
  answer: ResponseWriter;
  client: Client;
  /** Request body, if it has been read already. */
  asked: Uint8Array | undefined;
  /** Target of the request. */
  way: Route;
  connections: UpstreamPool;
  /** Called after forwarding each event. It must not throw. */
  tap(piece: HttpTrafficEvent): void;
  /** Called once, when the exchange is over. */
  done(): void;
}

/** Client connection of a request. */
export interface Client {
  pause(): void;
  resume(): void;
  /** Closes the connection in the same way as the server's was lost. */
  lose(how: CloseKind): void;
}

/** Part of an exchange that response handlers use. */
export interface ExchangeLifecycle {
  /** Upstream connection of the response. */
  far: Pick<UpstreamConnection, 'pause' | 'resume'>;
  /** Called when the whole response has been forwarded. */
  answered(): void;
}

/** Handlers for the body of a response. */
export interface ResponseHandler {
  data(data: Buffer): void;
  end(): void;
}
