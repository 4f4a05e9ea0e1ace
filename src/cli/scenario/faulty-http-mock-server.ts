import { type HttpProxyOptions, httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { unguessable } from '../../kernel/random.ts';
import { HttpMockHandler, type HttpMockHandlerOptions } from '../../replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../replay/http/legacy-sse-server.ts';
import { listen } from '../../transports/http/server/http-listener.ts';
import { parseUpstream, type Upstream } from '../../transports/http/upstream/parse-upstream.ts';

/** A free port of this machine. */
export const ANY_PORT = { hostname: '127.0.0.1', port: 0 };
/** Maximum length of a body in bytes. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024;

export interface FaultyHttpMockOptions
  extends Pick<HttpMockHandlerOptions, 'cassettes' | 'ignore' | 'timing' | 'report' | 'finished' | 'sent'> {
  faults: HttpProxyOptions['faults'];
}

/** A mock server over HTTP, with a fault proxy before it. */
export interface FaultyHttpMock {
  /** Address of the fault proxy. */
  address: Upstream;
  url: string;
  /** Reports whether a request has come. */
  reached(): boolean;
  /** Ends all sessions, which reports what never came, and stops listening. */
  close(): Promise<void>;
}

/**
 * Starts a mock server over HTTP for one command, with faults. It streams answers whose form was not recorded, as servers of
 * the SDKs do: at a broken JSON body, many clients notice what they miss in a stream.
 */
export async function faultyHttpMockServer({ faults, ...options }: FaultyHttpMockOptions): Promise<FaultyHttpMock> {
  let isReached = false;
  const played = { clock, newSession: unguessable, hasFaults: true, responseMode: 'sse' } as const;
  const server = new HttpMockHandler({ ...options, ...played });
  const listener = await listen({
    ...ANY_PORT,
    path: '/mcp',
    otherPaths: [SSE_PATH, SSE_ENDPOINT],
    allowed: [],
    bodyMax: BODY_BYTES_MAX,
    serve: (...exchange) => {
      isReached = true;
      return server.serve(...exchange);
    },
  });
  const upstream = parseUpstream(listener.url);
  const proxy = await httpFaultProxy({
    upstream,
    listen: ANY_PORT,
    clock,
    servesPages: true,
    faults: {
      ...faults,
      fired(one, seen) {
        faults.fired?.(one, seen);
        server.faulted(one);
      },
    },
    trouble: () => {},
  });
  const url = proxy.origin + upstream.path;
  return {
    address: parseUpstream(url),
    url,
    reached: () => isReached,
    async close() {
      server.end();
      await proxy.close();
      await listener.close();
    },
  };
}
