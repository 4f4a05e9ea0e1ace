import type { CassetteSource } from '../../cassette/cassette.ts';
import type { Journal } from '../../journal/journal.ts';
import type { ManualClock } from '../../kernel/manual-clock.ts';
import type { FetchEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import type { FaultRule } from '../../modes/channel-faults.ts';
import type { Server } from '../../modes/connect-to-server.ts';
import type { Session, SessionOptions } from '../../modes/open-session.ts';
import type { Request } from '../../protocol/message.ts';
import type { Outcome } from '../../text-report/outcome-model.ts';
import type { MockClient, MockClientOptions } from '../mock-client/mock-client.ts';
import type { StartMockServer } from '../mock-server/mock-server-types.ts';
import type { SdkTransport } from '../sdk/channel-transport.ts';
import type { TestedServer } from './tested-server.ts';
import type { VerifyOptions } from './verify-server.ts';

/** Options of one session of a test. */
export interface ConnectOptions extends Omit<SessionOptions, 'cassette' | 'server' | 'update' | 'clock'> {
  /** Tells the sessions of one test apart, beside their number. */
  name?: string;
  /** Path of the cassette, in place of the one that the test's name makes. A relative one is of the test file's folder. */
  cassette?: string;
}

/** What a test has of mcp-record. */
export interface Mcp {
  /**
   * A transport for the test's own SDK client. The first run talks to the live server and records; later runs replay. When
   * the test is over, what it asked and the cassette did not have fails it, and what a failed test recorded is not kept.
   * @throws McpRecordError as `openSession`, and CASSETTE_CLAIMED where another test has the same cassette
   */
  connect(server: Server, options?: ConnectOptions): Promise<SdkTransport>;
  /** The recorded server of a cassette, or one of handlers: in this process, over HTTP, or as a command line. Ends with the test. */
  server: StartMockServer;
  /**
   * Plays the recorded client of a cassette to the test's own server.
   * @throws McpRecordError SESSION_DIFFERS where the server does not answer as in the cassette
   */
  client(cassette: CassetteSource, server: TestedServer, options?: VerifyOptions): Promise<Outcome>;
  /** A client with handlers, connected to the test's own server. It ends with the test and fails it, as a server of `mcp.server` does. */
  mockClient(options: MockClientOptions): Promise<MockClient>;
  /**
   * Makes an endpoint of MSW or nock this test's own: it ends with the test and fails it as a server of `mcp.server` does,
   * and what a failed test recorded is not kept.
   * @throws McpRecordError CASSETTE_CLAIMED where it records, and another test has the same cassette
   */
  own<Kind extends FetchEndpoint>(endpoint: Kind): Kind;
  /**
   * These faults happen from now on, in the sessions that are open and those to come; none: all goes well again. One that
   * never happens fails the test.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  faults(rules: readonly FaultRule[]): void;
  /** Time in the test's own hands, for replay and faults of the sessions to come: it passes by `advance` alone. */
  clock(): ManualClock;
  /** The sessions that were opened, in order. */
  sessions: readonly Session[];
  /** The requests that all clients of the test have made, by session. */
  received(method?: string): Request[];
  /** Messages of all clients of the test, by session, for assertions and waits. */
  journal: Journal;
}

/** An `Mcp` outside of vitest, whose end is told. */
export interface OwnMcp extends Mcp {
  /**
   * Ends all that was begun.
   * @throws McpRecordError SESSION_FELL_SHORT where something did not go as in the cassette, and the test itself has passed;
   *   RECORDING_KEPT where it has not, and was recorded
   */
  finish(run: { passed: boolean }): Promise<void>;
}
