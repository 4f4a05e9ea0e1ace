import type { MessageFrame } from '../../channel/frame.ts';
import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import type { FaultTransport } from '../../faults/fault.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import type { LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import type { LiveServer } from '../../verify/run/live-server-types.ts';
import type { OtherClient, OtherClientOptions } from './misbehaviours/other-http-client.ts';

export interface ConnectOptions {
  /** Fault rules that make the client misbehave. */
  rules: readonly Rule[];
  /** Limit for one answer. */
  patience: Milliseconds;
  /** Limit for the exit of a process whose input has ended. */
  grace: Milliseconds;
  /** Called when a fault happens, before its frames reach the server. */
  fired(fired: Fired): void;
  /** Called when a fault would have changed nothing about its message. */
  unchanged(one: Unchanged): void;
  /** Takes the messages of the responses to copies of requests, which do not come on the streams of the client. HTTP only. */
  copyAnswered?: ((answer: MessageFrame) => void) | undefined;
  /** Called if the server cannot be started or reached. */
  failed(error: McpRecordError): void;
}

/** A connection to the server under test. Over stdio, each connection has its own server process. */
export interface ServerConnection {
  server: LiveServer;
  /** Returns the processes that outlived the server, or kept its output open. */
  left(): LeftProcesses;
  /** Reports whether the process exited without a signal of ours. */
  hasExited(): boolean;
  /** Closes the connection and its fault proxy, if any. */
  close(): Promise<void>;
}

/** The server under test, to which each run of a sweep connects anew. */
export interface ServerUnderTest {
  transport: FaultTransport;
  connect(options: ConnectOptions): Promise<ServerConnection>;
  /** Returns a client beside the recorded one. HTTP only. */
  otherClient?(options: Pick<OtherClientOptions, 'initialize' | 'patience'>): OtherClient;
}
