import type { Fired } from '../faults/misbehaviour.ts';
import { systemClock } from '../kernel/clock.ts';
import { rulesFor } from '../modes/misbehaving.ts';
import { requestsIn } from '../modes/session.ts';
import type { Request } from '../protocol/message.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../replay/serve-sse.ts';
import { proxyHttp } from '../scenario/proxy-http.ts';
import { listen } from '../transports/http/listener.ts';
import { parseUpstream } from '../transports/http/upstream.ts';
import { openEndpoint } from './endpoint.ts';
import type { HttpMockServer, HttpOptions } from './mock-server.ts';
import { type ReplayOutcome, replayOutcome } from './replay-outcome.ts';

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const LOOPBACK = { hostname: '127.0.0.1', port: 0 };

/**
 * A recorded server that listens, behind a proxy that misbehaves as it is told and until then passes all on.
 * @throws McpRecordError those of `loadCassette`, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export async function listeningServer(cassette: string, options: HttpOptions): Promise<HttpMockServer> {
  const { clock = systemClock, faults = [], seed = 0 } = options;
  const rules = rulesFor(faults, 'http');
  const endpoint = openEndpoint(cassette, options);
  const listener = await listen({
    ...LOOPBACK,
    path: '/mcp',
    otherPaths: [SSE_PATH, SSE_ENDPOINT],
    allowed: [],
    bodyMax: BODY_BYTES_MAX,
    serve: endpoint.serve,
  });
  const requests: Request[] = [];
  const fired: Fired[] = [];
  const upstream = parseUpstream(listener.url);
  const proxy = await proxyHttp({
    upstream,
    listen: LOOPBACK,
    clock,
    faults: { rules, seed, fired: (one) => void fired.push(one) },
    tap: (frame) => requests.push(...requestsIn(frame)),
    // A client that is refused is told so.
    trouble() {},
  });
  let outcome: Promise<ReplayOutcome> | undefined;
  const end = async () => {
    const { findings } = endpoint.finish();
    for (const text of proxy.everUnfired()) findings.push({ kind: 'unfired', text });
    await proxy.close();
    await listener.close();
    return replayOutcome(findings, options);
  };
  const finish = () => {
    outcome ??= end();
    return outcome;
  };
  return {
    cassette,
    url: proxy.origin + upstream.path,
    received: (method) => requests.filter((request) => method === undefined || request.method === method),
    misbehave: (others) => proxy.use(rulesFor(others, 'http')),
    fired,
    finish,
    [Symbol.asyncDispose]: async () => void (await finish()),
  };
}
