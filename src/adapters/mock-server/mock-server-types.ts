/// <reference lib="esnext.disposable" preserve="true" />
import type { CassetteSource } from '../../cassette/cassette.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Journal } from '../../journal/journal.ts';
import type { AuthorizationOptions } from '../../mock/authorization/authorization-options.ts';
import type { EndpointOptions } from '../../mock/endpoint/fetch-endpoint.ts';
import type { Handler, Result } from '../../mock/handler.ts';
import type { ServerDescription } from '../../mock/server/server-defaults.ts';
import type { FaultRule } from '../../modes/channel-faults.ts';
import type { Session } from '../../modes/open-session.ts';
import type { Params, Request } from '../../protocol/message.ts';
import type { RepeatOption } from '../../protocol/method-rules.ts';
import type { Expectations, ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import type { Timing } from '../../replay/timing.ts';
import type { SdkTransport } from '../sdk/sdk-transport.ts';

/** A recorded server that a test has started. Going out of scope ends it. */
export interface MockServer extends AsyncDisposable {
  /** Path of its cassette; empty where it has none. */
  cassette: string;
  /**
   * From now on these faults happen, in place of those before; they count messages from here. None: all passes.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(rules: readonly FaultRule[]): void;
  /** The faults that have happened, in order. */
  readonly fired: readonly Fired[];
  /** The requests that clients have made, in order. */
  received(method?: string): Request[];
  /** Messages of clients, for assertions and waits. */
  journal: Journal;
  /**
   * Handlers that answer before all others and before the cassette; of those that fit a request the last one.
   * @throws McpRecordError HANDLER_INVALID; over stdio, where the options have no `handlers`, HANDLER_OVER_STDIO
   */
  use(...handlers: Handler[]): void;
  /** Leaves the handlers of the options. */
  resetHandlers(): void;
  /** Sends a notification to every client: `notify('notifications/tools/list_changed')`. */
  notify(method: string, params?: Params): void;
  /**
   * Asks the client whose session began last, and resolves with its result: `request('sampling/createMessage', params)`.
   * @throws McpRecordError MOCK_NO_CLIENT; RpcFailure where the client answers with an error
   */
  request(method: string, params?: Params): Promise<Result>;
  /** Ends it, and says how it went. Later calls give the same outcome. */
  finish(): Promise<ReplayOutcome>;
  /**
   * Begins anew, for the next test, and says how it went until now: sessions end, what was received and found is forgotten,
   * every recorded request counts as not yet used, and the rules of its faults count from here.
   * @throws McpRecordError ENDPOINT_ENDED after `finish`
   */
  reset(): Promise<ReplayOutcome>;
}

/** In this process, for one client. */
export interface MemoryServer extends MockServer {
  /** For the test's SDK client; after `reset` a new one, for the next client. */
  readonly transport: SdkTransport;
  /** The same, for who sees its misbehaviour. */
  readonly session: Session;
}

/** A mock server over Streamable HTTP. Each client starts at the beginning of the cassette. */
export interface HttpMockServer extends MockServer {
  /** `http://127.0.0.1:PORT/mcp`. */
  url: string;
  /** The issuer of access tokens. Absent: the server has no option `auth`. */
  issuer?: string;
}

/** As words of a command line, for clients that start their server. */
export interface StdioServer extends MockServer {
  command: string;
  args: string[];
}

/** How the two sides shall misbehave on purpose. */
export interface MisbehaveOptions {
  faults?: readonly FaultRule[];
  /** What the chance of faults draws from. Default: 0. */
  seed?: number;
  /** A fault that never happens. Default: `fail`. */
  onUnfired?: 'fail' | 'report';
}

/** A mock server without a cassette: its handlers answer, and where there is none, what every server answers. */
export interface WithoutCassette extends ServerDescription {
  cassette?: undefined;
}

/** Starts a mock server: by its cassette, or with options that may lack one. */
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
  /** Clients need access tokens, which an authorization server at the same origin issues to whoever comes: `true`, or how. Default: false. */
  auth?: boolean | AuthorizationOptions;
}

/** What can be said on a command line. */
export interface StdioOptions extends Expectations, MisbehaveOptions {
  over: 'stdio';
  timing?: Timing;
  /** JSON Pointers into requests that do not count. */
  ignore?: readonly string[];
  /** How often recorded answers serve, for all methods or by method: `once`, `last` or `cycle`. Absent: calls once, lists and polls the last one again. */
  repeat?: RepeatOption;
  /** Answer in this process, which clients reach through the command. Absent: the command plays the cassette by itself. */
  handlers?: readonly Handler[];
}
