import type { CassetteSource } from '../../cassette/cassette.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ManualClock } from '../../kernel/manual-clock.ts';
import type { FetchEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import type { Server } from '../../modes/connect-to-server.ts';
import type { FaultRule } from '../../modes/faulty-channel.ts';
import type { Session, SessionOptions } from '../../modes/open-session.ts';
import type { Request } from '../../protocol/message.ts';
import type { Outcome } from '../../text-report/outcome-model.ts';
import type { MockClient, MockClientOptions } from '../mock-client/mock-client.ts';
import type { TestedServer } from '../mock-client/open-server-under-test.ts';
import type { StartMockServer } from '../mock-server/mock-server-types.ts';
import type { SdkTransport } from '../sdk/channel-transport.ts';
import type { VerifyOptions } from './verify-server.ts';

/** Options of one session of a test. */
export interface ConnectOptions extends Omit<SessionOptions, 'cassette' | 'server' | 'update' | 'clock'> {
  /** Name of the session within its test. Default: a number. */
  name?: string;
  /** Path of the cassette. Relative paths start at the test file's folder. Default: derived from the test's name. */
  cassette?: string;
}

/** The `mcp` fixture of a test. */
export interface Mcp {
  /**
   * Returns a transport for the test's SDK client. The first run uses the live server and records it; later runs replay
   * the cassette. Requests missing in the cassette fail the test at its end. Recordings of a failed test are discarded.
   * @throws McpRecordError those of `openSession`; CASSETTE_CLAIMED if another test uses the same cassette
   */
  connect(server: Server, options?: ConnectOptions): Promise<SdkTransport>;
  /**
   * Starts a mock server from a cassette or from handlers: in this process, over HTTP, or as a command line. It ends
   * with the test.
   */
  server: StartMockServer;
  /**
   * Plays the recorded client of a cassette to the test's server.
   * @throws McpRecordError SESSION_DIFFERS if the server's answers differ from the cassette
   */
  client(cassette: CassetteSource, server: TestedServer, options?: VerifyOptions): Promise<Outcome>;
  /** A client with handlers, connected to the test's own server. It ends with the test and fails it, as a server of `mcp.server` does. */
  mockClient(options: MockClientOptions): Promise<MockClient>;
  /**
   * Ties an endpoint of MSW or nock to this test. It ends with the test and its findings fail the test, as with
   * `mcp.server`. Recordings of a failed test are discarded.
   * @throws McpRecordError CASSETTE_CLAIMED if the endpoint records, and another test uses the same cassette
   */
  own<Kind extends FetchEndpoint>(endpoint: Kind): Kind;
  /**
   * Replaces the fault rules of open and future sessions. An empty list ends all faults. A rule that never fires fails
   * the test.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  faults(rules: readonly FaultRule[]): void;
  /**
   * Returns a clock for the sessions, servers and clients that the test opens later. Only `advance` moves its time.
   * @throws McpRecordError CLOCK_TOO_LATE if the test has opened one before the first call
   */
  clock(): ManualClock;
  /** Opened sessions, in order. */
  sessions: readonly Session[];
  /** Returns the requests of all clients of the test, by session. */
  received(method?: string): Request[];
  /** Messages of all clients of the test, by session, for assertions and waits. */
  journal: Journal;
}

/** `Mcp` for runners other than vitest, which call `finish`. */
export interface OwnMcp extends Mcp {
  /**
   * Ends all sessions, servers and endpoints.
   * @throws McpRecordError SESSION_FELL_SHORT if the test passed, but a session deviated from its cassette;
   * RECORDING_KEPT if the test failed, and a recording was kept
   */
  finish(run: { passed: boolean; hasTimedOut?: boolean }): Promise<void>;
}
