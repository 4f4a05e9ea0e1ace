import type { Headers } from '../../../channel/frame.ts';
import type { Clock } from '../../../kernel/clock.ts';
import type { McpRecordError } from '../../../kernel/errors.ts';
import type { Route } from '../authorization/authorization-proxy.ts';
import type { RequestHead } from '../http1/request-head.ts';
import type { ResponseWriter } from '../http1/response-writer.ts';
import type { UpstreamConnection } from '../upstream/upstream-connection.ts';
import type { UpstreamPool } from '../upstream/upstream-pool.ts';
import type { HostNames } from './host-names.ts';
import type { CloseKind, HttpTrafficEvent } from './http-traffic.ts';

/** State shared by all exchanges of a proxy. */
export interface ForwardContext {
  names: HostNames;
  /** Headers for the server in place of the client's own. Absent: none. */
  headers?: Headers;
  clock: Clock;
  /** Told when the server cannot be reached, or does not speak HTTP. */
  trouble(error: McpRecordError): void;
}

export interface ExchangeOptions {
  common: ForwardContext;
  request: RequestHead;
  /** The client, who is answered, and waits while the server takes no more. */
  answer: ResponseWriter;
  client: Client;
  /** Request body, if it has been read already. */
  asked: Uint8Array | undefined;
  /** Whom to ask, and for what. */
  way: Route;
  connections: UpstreamPool;
  /** Sees each piece after it was passed on. Must not throw. */
  tap(piece: HttpTrafficEvent): void;
  /** Told once, when nothing more will pass. */
  done(): void;
}

/** The connection that a request comes by. */
export interface Client {
  pause(): void;
  resume(): void;
  /** Ends it as the server's was lost. */
  lose(how: CloseKind): void;
}

/** The exchange of a response, as the response sees it. */
export interface Course {
  /** Upstream connection of the response. */
  far: Pick<UpstreamConnection, 'pause' | 'resume'>;
  /** Called when the whole response has been forwarded. */
  answered(): void;
}

/** Handlers for the body of a response. */
export interface Passing {
  data(data: Buffer): void;
  end(): void;
}
