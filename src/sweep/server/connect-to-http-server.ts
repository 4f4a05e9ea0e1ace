import { httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseUpstream, type Upstream } from '../../transports/http/upstream/parse-upstream.ts';
import { type HttpServerOptions, liveHttpServer } from '../../verify/run/live-http-server.ts';
import type { LiveServer } from '../../verify/run/live-server-types.ts';
import { otherHttpClient } from './misbehaviours/other-http-client.ts';
import type { ServerConnection, ServerUnderTest } from './server-under-test-types.ts';

const ANY_PORT = { hostname: '127.0.0.1', port: 0 };
const SEED = 1;

export interface HttpServerUnderTest extends Pick<HttpServerOptions, 'headers' | 'ca'> {
  upstream: Upstream;
  clock: Clock;
}

/** A running HTTP server. Each run of the sweep opens its own connection. */
export function httpServer({ upstream, clock, headers = {}, ca }: HttpServerUnderTest): ServerUnderTest {
  return {
    transport: 'http',
    otherClient: (options) => otherHttpClient({ ...options, upstream, clock, headers, ca }),
    async connect({ rules, patience, fired, unchanged, copyAnswered }) {
      const common = { clock, headers, patience };
      // Without a fault proxy in between, a refused TCP connection differs from an HTTP error response.
      if (rules.length === 0) return connectionTo(liveHttpServer({ ...common, upstream, ...(ca && { ca }) }));
      const proxy = await httpFaultProxy({
        upstream,
        listen: ANY_PORT,
        ...(ca && { ca }),
        clock,
        faults: { rules, seed: SEED, fired, unchanged },
        trouble() {},
        copyAnswered,
      });
      const near = parseUpstream(proxy.origin + upstream.path + upstream.search);
      return connectionTo(liveHttpServer({ ...common, upstream: near }), () => proxy.close());
    },
  };
}

function connectionTo(server: LiveServer, close: () => Promise<void> = async () => {}): ServerConnection {
  return { server, left: () => undefined, hasExited: () => false, close };
}
