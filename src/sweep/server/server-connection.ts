import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { LiveServer } from '../../verify/run/live-server.ts';

export interface ConnectOptions {
  /** How the client shall misbehave. */
  rules: readonly Rule[];
  /** How long an answer may take. */
  patience: Milliseconds;
  /** How long a process may take to end after its input has ended. */
  grace: Milliseconds;
  /** Told when the client misbehaves, before the server hears of it. */
  fired(fired: Fired): void;
  /** Told where the server was never there. */
  failed(error: McpRecordError): void;
}

/** One connection to the server under test: over stdio a process of its own. */
export interface ServerConnection {
  server: LiveServer;
  /** Whether processes that it has started were still there after its end, or held its output. */
  isOutlived(): boolean;
  /** Whether the process has ended by itself. */
  hasExited(): boolean;
  /** Closes what stands between. */
  close(): Promise<void>;
}

/** The server under test, to which each run of a sweep connects anew. */
export interface ServerUnderTest {
  transport: FaultTransport;
  connect(options: ConnectOptions): Promise<ServerConnection>;
}
