/// <reference lib="esnext.disposable" preserve="true" />
import type { FaultRule } from '../modes/misbehaving.ts';
import { openSession, type Session } from '../modes/session.ts';
import type { Request } from '../protocol/message.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../replay/serve-sse.ts';
import type { Timing } from '../replay/timing.ts';
import { listen } from '../transports/http/listener.ts';
import { type EndpointOptions, openEndpoint } from './endpoint.ts';
import type { Expectations, ReplayOutcome } from './replay-outcome.ts';
import { type SdkTransport, sessionTransport } from './sdk.ts';
import { startableServer } from './startable-server.ts';

/** A recorded server that a test has started. Going out of scope ends it. */
export interface MockServer extends AsyncDisposable {
  /** Path of its cassette. */
  cassette: string;
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

export interface MemoryOptions extends EndpointOptions {
  over?: 'memory';
  /** How the two sides shall misbehave on purpose; one that never happens fails the test. */
  faults?: readonly FaultRule[];
  /** What the chance of faults draws from. Default: 0. */
  seed?: number;
}

export interface HttpOptions extends EndpointOptions {
  over: 'http';
}

/** What can be said on a command line. */
export interface StdioOptions extends Expectations {
  over: 'stdio';
  timing?: Timing;
  /** JSON Pointers into requests that do not count. */
  ignore?: readonly string[];
}

/**
 * Starts the recorded server of a cassette, as asked.
 * @throws McpRecordError CASSETTE_MISSING, and those of `loadCassette`
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
      return inHttp(cassette, options);
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
    received: (method) => session.received(method),
    finish,
    [Symbol.asyncDispose]: async () => void (await finish()),
  };
}

const BODY_BYTES_MAX = 64 * 1024 * 1024;

async function inHttp(cassette: string, { over, ...options }: HttpOptions): Promise<HttpMockServer> {
  const endpoint = openEndpoint(cassette, options);
  const listener = await listen({
    hostname: '127.0.0.1',
    port: 0,
    path: '/mcp',
    otherPaths: [SSE_PATH, SSE_ENDPOINT],
    allowed: [],
    bodyMax: BODY_BYTES_MAX,
    serve: endpoint.serve,
  });
  const finish = async () => {
    const outcome = endpoint.finish();
    await listener.close();
    return outcome;
  };
  return {
    cassette,
    url: listener.url,
    received: endpoint.received,
    finish,
    [Symbol.asyncDispose]: async () => void (await finish()),
  };
}
