import { httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import type { Clock } from '../../kernel/clock.ts';
import { parseUpstream, type Upstream } from '../../transports/http/upstream/upstream.ts';
import { type HttpServerOptions, liveHttpServer } from '../../verify/run/live-http-server.ts';
import type { LiveServer } from '../../verify/run/live-server.ts';
import type { ServerConnection, ServerUnderTest } from './server-connection.ts';

const ANY_PORT = { hostname: '127.0.0.1', port: 0 };
const SEED = 1;

export interface HttpServerUnderTest extends Pick<HttpServerOptions, 'headers' | 'ca'> {
  upstream: Upstream;
  clock: Clock;
}

/** A server that is there already, to which each run connects. */
export function httpServer({ upstream, clock, headers = {}, ca }: HttpServerUnderTest): ServerUnderTest {
  return {
    transport: 'http',
    async connect({ rules, patience, fired }) {
      const common = { clock, headers, patience };
      // Straight, so that a server that is gone is told from one that refuses.
      if (rules.length === 0) return connectionTo(liveHttpServer({ ...common, upstream, ...(ca && { ca }) }));
      const proxy = await httpFaultProxy({
        upstream,
        listen: ANY_PORT,
        ...(ca && { ca }),
        clock,
        faults: { rules, seed: SEED, fired },
        trouble() {},
      });
      const near = parseUpstream(proxy.origin + upstream.path + upstream.search);
      return connectionTo(liveHttpServer({ ...common, upstream: near }), () => proxy.close());
    },
  };
}

function connectionTo(server: LiveServer, close: () => Promise<void> = async () => {}): ServerConnection {
  return { server, isOutlived: () => false, hasExited: () => false, close };
}
