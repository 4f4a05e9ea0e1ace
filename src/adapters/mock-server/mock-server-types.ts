/// <reference lib="esnext.disposable" preserve="true" />
import type { CassetteSource } from '../../cassette/cassette.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Journal } from '../../journal/journal.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { AuthorizationOptions } from '../../mock/authorization/authorization-options.ts';
import type { EndpointOptions } from '../../mock/endpoint/fetch-endpoint.ts';
import type { Handler, Result } from '../../mock/handler.ts';
import type { AskOptions } from '../../mock/server/ask-timeout.ts';
import type { ServerDescription } from '../../mock/server/server-fallback-answers.ts';
import type { FaultRule } from '../../modes/faulty-channel.ts';
import type { Session } from '../../modes/open-session.ts';
import type { Params, Request } from '../../protocol/message.ts';
import type { RepeatOption } from '../../protocol/method-table.ts';
import type { Expectations, ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { ResponseMode } from '../../replay/http/post-answer.ts';
import type { Timing } from '../../replay/timing.ts';
import type { SdkTransport } from '../sdk/channel-transport.ts';

/** A recorded server started by a test. It ends with its scope. */
export interface MockServer extends AsyncDisposable {
  /** Path of the cassette. Empty without a cassette. */
  cassette: string;
  /**
   * Replaces the fault rules from now on. The new rules count messages from now on. Without rules, every message
   * passes.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(rules: readonly FaultRule[]): void;
  /** Fired faults, in order. */
  readonly fired: readonly Fired[];
  /** Returns the requests of clients, in order. */
  received(method?: string): Request[];
  /** Messages of clients, for assertions and waits. */
  journal: Journal;
  /**
   * Adds handlers that answer before all others and before the cassette. Of these, the first matching one answers.
   * @throws McpRecordError HANDLER_INVALID; over stdio without the option `handlers`, HANDLER_OVER_STDIO
   */
  use(...handlers: Handler[]): void;
  /** Removes all handlers except those of the options. */
  resetHandlers(): void;
  /** Sends a notification to every client: `notify('notifications/tools/list_changed')`. */
  notify(method: string, params?: Params): void;
  /**
   * Sends a request to the client of the newest session, and resolves with its result:
   * `request('sampling/createMessage', params)`.
   * @throws McpRecordError MOCK_NO_CLIENT, MOCK_NO_ANSWER after the timeout; RpcFailure if the client answers with an
   * error
   */
  request(method: string, params?: Params, options?: AskOptions): Promise<Result>;
  /** Ends the server and returns the outcome. Later calls return the same outcome. */
  finish(): Promise<ReplayOutcome>;
  /**
   * Restarts for the next test, and returns the outcome up to now: ends sessions, clears received messages and
   * findings, marks every recorded request as unused, and restarts the counts of fault rules.
   * @throws McpRecordError ENDPOINT_ENDED after `finish`
   */
  reset(): Promise<ReplayOutcome>;
}

/** A mock server in this process, for one client. */
export interface MemoryServer extends MockServer {
  /** Transport for the test's SDK client. After `reset`, a new transport for the next client. */
  readonly transport: SdkTransport;
  /** The session behind the transport. */
  readonly session: Session;
}

/** A mock server over Streamable HTTP. Each client starts at the beginning of the cassette. */
export interface HttpMockServer extends MockServer {
  /** `http://127.0.0.1:PORT/mcp`. */
  url: string;
  /** Issuer of access tokens. Absent without the option `auth`. */
  issuer?: string;
}

/** A mock server as a command line, for clients that start their server. */
export interface StdioServer extends MockServer {
  command: string;
  args: string[];
}

/** Faults of a mock server. */
export interface MisbehaveOptions {
  faults?: readonly FaultRule[];
  /** Seed for the randomness of faults. Default: 0. */
  seed?: number;
  /** Reaction to a fault that never fires. Default: `fail`. */
  onUnfired?: 'fail' | 'report';
}

/**
 * Options of a mock server without a cassette. Handlers answer requests; requests without a handler get default
 * answers.
 */
export interface WithoutCassette extends ServerDescription {
  cassette?: undefined;
}

/** Starts a mock server, given a cassette or options with an optional cassette. */
export interface StartMockServer {
  (cassette: CassetteSource, options?: MemoryOptions): Promise<MemoryServer>;
  (cassette: CassetteSource, options: HttpOptions): Promise<HttpMockServer>;
  (cassette: CassetteSource, options: StdioOptions): Promise<StdioServer>;
  (options: MemoryOptions & (WithoutCassette | { cassette: CassetteSource })): Promise<MemoryServer>;
  (options: HttpOptions & (WithoutCassette | { cassette: CassetteSource })): Promise<HttpMockServer>;
  (options: StdioOptions & (WithoutCassette | { cassette: CassetteSource })): Promise<StdioServer>;
}

/** Options of a mock server of any kind. */
export type GivenOptions = (MemoryOptions | HttpOptions | StdioOptions) & {
  cassette?: CassetteSource | undefined;
} & ServerDescription;

export interface MemoryOptions extends EndpointOptions, MisbehaveOptions {
  over?: 'memory';
}

export interface HttpOptions extends EndpointOptions, MisbehaveOptions {
  over: 'http';
  /**
   * Requires access tokens from clients. An authorization server at the same origin issues them to every client.
   * `true`, or its options. Default: false.
   */
  auth?: boolean | AuthorizationOptions;
  /**
   * Form of answers that were not recorded over HTTP: `sse` always makes them event streams, as servers of the SDKs do. Default:
   * `auto`, which is JSON, unless other messages precede the answer.
   */
  responseMode?: ResponseMode;
}

/** Options of a mock server over stdio. */
export interface StdioOptions extends Expectations, MisbehaveOptions {
  over: 'stdio';
  timing?: Timing;
  /** Request values to ignore: JSON Pointers, regular expressions and functions. */
  ignore?: readonly Ignore[];
  /**
   * Reuse of recorded answers, for all methods or by method: `once`, `last` or `cycle`. Default: `once` for calls,
   * `last` for lists and polls.
   */
  repeat?: RepeatOption;
  /**
   * Handlers in this process, which clients reach through the command. Absent: the command plays the cassette alone.
   */
  handlers?: readonly Handler[];
}
