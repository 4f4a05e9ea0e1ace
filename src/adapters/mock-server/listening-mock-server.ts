import type { WireFrame } from '../../channel/frame.ts';
import { httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { HttpMessageLog, type LoggedExchange } from '../../journal/http-message-log.ts';
import { requestsOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { systemClock } from '../../kernel/clock.ts';
import { emptyCassette, emptyModernCassette, NO_CASSETTE } from '../../mock/empty-cassettes.ts';
import type { ServerDescription } from '../../mock/server-defaults.ts';
import { rulesFor } from '../../modes/channel-faults.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../replay/http/legacy-sse-server.ts';
import { listen } from '../../transports/http/server/http-listener.ts';
import { parseUpstream } from '../../transports/http/upstream/upstream.ts';
import { endpointEnded } from '../endpoint/ended-endpoint.ts';
import { openEndpoint } from '../endpoint/fetch-endpoint.ts';
import { byName } from '../endpoint/traffic-observer.ts';
import { type ReplayOutcome, replayOutcome } from '../test/replay-outcome.ts';
import { endings } from './end-of-scope.ts';
import type { HttpMockServer, HttpOptions } from './mock-server-types.ts';

const BODY_BYTES_MAX = 64 * 1024 * 1024;
const LOOPBACK = { hostname: '127.0.0.1', port: 0 };

/**
 * A recorded server that listens, behind a proxy that misbehaves as it is told and until then passes all on.
 * @throws McpRecordError those of `loadCassette`, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
 */
export async function listeningMockServer(
  file: string | undefined,
  options: HttpOptions,
  description?: ServerDescription,
): Promise<HttpMockServer> {
  const cassette = file ?? '';
  const { clock = systemClock, faults = [], seed = 0 } = options;
  const rules = rulesFor(faults, 'http');
  const played = description && { files: [emptyCassette(), emptyModernCassette()], description };
  const endpoint = openEndpoint(file ?? NO_CASSETTE, options, played);
  const { handlers } = endpoint;
  const listener = await listen({
    ...LOOPBACK,
    path: '/mcp',
    otherPaths: [SSE_PATH, SSE_ENDPOINT],
    allowed: [],
    bodyMax: BODY_BYTES_MAX,
    serve: endpoint.serve,
  });
  const received = new MessageLog(clock);
  const sessions = new HttpMessageLog(received);
  /** What is asked now, by its number. */
  const exchanges = new Map<number, LoggedExchange>();
  const hear = (frame: WireFrame) => {
    const { kind, from, stream = 0 } = frame;
    if (from === 'client' && (kind === 'message' || kind === 'open'))
      exchanges.set(
        stream,
        sessions.startExchange(frame.headers ?? {}, kind === 'message' ? frame.json.value : undefined),
      );
    else if (kind === 'message') exchanges.get(stream)?.addServerMessage(frame.json.value);
    else if (from === 'server' && kind === 'close') exchanges.delete(stream);
  };
  const fired: Fired[] = [];
  const thrown: Finding[] = [];
  const upstream = parseUpstream(listener.url);
  const proxy = await httpFaultProxy({
    upstream,
    listen: LOOPBACK,
    clock,
    servesPages: true,
    faults: {
      rules,
      seed,
      fired(one) {
        fired.push(one);
        endpoint.faulted(one);
      },
      failed: ({ message: text }) => void thrown.push({ kind: 'thrown', text }),
    },
    tap: hear,
    answered: (stream, headers) => exchanges.get(stream)?.addResponseHeaders(byName(headers)),
    // A client that is refused is told so.
    trouble() {},
  });
  let outcome: Promise<ReplayOutcome> | undefined;
  const judged = () => {
    const findings = [...endpoint.finish().findings, ...thrown];
    for (const text of proxy.everUnfired()) findings.push({ kind: 'unfired', text });
    return replayOutcome(findings, options);
  };
  const end = async () => {
    const judgement = judged();
    await proxy.close();
    await listener.close();
    return judgement;
  };
  const finish = () => {
    outcome ??= end();
    return outcome;
  };
  return {
    cassette,
    url: proxy.origin + upstream.path,
    received: (method) => requestsOf(received.journal, method),
    journal: received.journal,
    misbehave: (others) => proxy.use(rulesFor(others, 'http')),
    fired,
    use: (...more) => handlers.use(more),
    resetHandlers: () => handlers.resetHandlers(),
    notify: (method, params) => handlers.notify(method, params),
    request: (method, params) => handlers.ask(method, params),
    ...endings(cassette, finish),
    async reset() {
      if (outcome) throw endpointEnded(cassette, 'reset()');
      const judgement = judged();
      endpoint.reset();
      received.journal.reset();
      sessions.reset();
      exchanges.clear();
      fired.length = 0;
      thrown.length = 0;
      proxy.restart();
      return judgement;
    },
  };
}
