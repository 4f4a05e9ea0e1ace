/// <reference lib="esnext.disposable" preserve="true" />
import type { Fired } from '../faults/misbehaviour.ts';
import type { FaultRule } from '../modes/misbehaving.ts';
import { openSession, type Session } from '../modes/session.ts';
import type { Request } from '../protocol/message.ts';
import type { Timing } from '../replay/timing.ts';
import type { EndpointOptions } from './endpoint.ts';
import { listeningServer } from './listening-server.ts';
import type { Expectations, ReplayOutcome } from './replay-outcome.ts';
import { type SdkTransport, sessionTransport } from './sdk-transport.ts';
import { startableServer } from './startable-server.ts';

/** A recorded server that a test has started. Going out of scope ends it. */
export interface MockServer extends AsyncDisposable {
  /** Path of its cassette. */
  cassette: string;
  /**
   * From now on these faults happen, in place of those before; they count messages from here. None: all passes.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  misbehave(rules: readonly FaultRule[]): void;
  /** The faults that have happened, in order. */
  readonly fired: readonly Fired[];
  /** Ends it, and says how it went. Later calls give the same outcome. */
  finish(): Promise<ReplayOutcome>;
}

/** In this process, for one client. */
export interface MemoryServer extends MockServer {
  /** For the test's SDK client. */
  transport: SdkTransport;
  /** The same, for who sees its misbehaviour. */
  session: Session;
  /** The requests that the client has made, in order. */
  received(method?: string): Request[];
}

/** Over Streamable HTTP, for any number of clients, each from the beginning of the tape. */
export interface HttpMockServer extends MockServer {
  /** `http://127.0.0.1:PORT/mcp`. */
  url: string;
  /** The requests that clients have made, in order. */
  received(method?: string): Request[];
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

export interface MemoryOptions extends EndpointOptions, MisbehaveOptions {
  over?: 'memory';
}

export interface HttpOptions extends EndpointOptions, MisbehaveOptions {
  over: 'http';
}

/** What can be said on a command line. */
export interface StdioOptions extends Expectations, MisbehaveOptions {
  over: 'stdio';
  timing?: Timing;
  /** JSON Pointers into requests that do not count. */
  ignore?: readonly string[];
}

/**
 * Starts the recorded server of a cassette, as asked.
 * @throws McpRecordError CASSETTE_MISSING, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING, and those of `loadCassette`
 */
export function mockServer(cassette: string, options?: MemoryOptions): Promise<MemoryServer>;
export function mockServer(cassette: string, options: HttpOptions): Promise<HttpMockServer>;
export function mockServer(cassette: string, options: StdioOptions): Promise<StdioServer>;
export async function mockServer(
  cassette: string,
  options: MemoryOptions | HttpOptions | StdioOptions = {},
): Promise<MemoryServer | HttpMockServer | StdioServer> {
  switch (options.over) {
    case 'http':
      return listeningServer(cassette, options);
    case 'stdio':
      return startableServer(cassette, options);
    default:
      return inMemory(cassette, options);
  }
}

async function inMemory(cassette: string, { over, ...options }: MemoryOptions): Promise<MemoryServer> {
  const session = await openSession({ onUnused: 'fail', ...options, cassette, mode: 'replay' });
  const finish = () => session.finish({ passed: true });
  return {
    cassette,
    transport: sessionTransport(session),
    session,
    misbehave: (rules) => session.misbehave(rules),
    fired: session.fired,
    received: (method) => session.received(method),
    finish,
    [Symbol.asyncDispose]: async () => void (await finish()),
  };
}
