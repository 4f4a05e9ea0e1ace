import type { Cassette } from '../../cassette/cassette.ts';
import { httpFaultProxy } from '../../fault-proxy/http-fault-proxy.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { parseFaultRules } from '../../faults/rules/parse-fault-rules.ts';
import { anyMethod } from '../../faults/rules/unknown-rule-method.ts';
import { systemClock as clock } from '../../kernel/clock.ts';
import { unguessable } from '../../kernel/random.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { projectRules } from '../../record/redact-file/redaction-rules-file.ts';
import { httpCassettes } from '../../replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../replay/http/legacy-sse-server.ts';
import { discoverResponseFromProbe } from '../../replay/prepare/recorded-discover.ts';
import { type MockTarget, UNSERVED } from '../../sweep/client/attempt-run.ts';
import { type FaultCase, rulesFileOf } from '../../sweep/client/fault-cases.ts';
import { PlayedLines } from '../../sweep/client/played-lines.ts';
import { listen } from '../../transports/http/server/http-listener.ts';
import { parseUpstream } from '../../transports/http/upstream/parse-upstream.ts';
import { maskSecretsFor } from '../options/restore-secrets-from-env.ts';

const ANY_PORT = { hostname: '127.0.0.1', port: 0 };
const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** Returns a target that serves a cassette over HTTP, for clients that connect to it. */
export function httpMockServer(cassette: Cassette): (point: FaultCase | undefined) => Promise<MockTarget> {
  const served = httpCassettes(cassette, discoverResponseFromProbe(cassette.file));
  let masks: Promise<Ignore[]> | undefined;
  return async (point) => {
    masks ??= maskSecretsFor(cassette, projectRules(process.env));
    const ignore = await masks;
    const ignored = () => {};
    const lines = new PlayedLines();
    const unserved: string[] = [];
    const server = new HttpMockHandler({
      cassettes: served,
      ignore,
      clock,
      report: ({ kind, text }) => void (UNSERVED.has(kind) && unserved.push(text)),
      newSession: unguessable,
      hasFaults: true,
      sent: lines.sent,
    });
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
    const journal: Fired[] = [];
    let isReached = false;
    const { rules, seed = 0 } = parseFaultRules(rulesFileOf(point), {
      name: point?.name ?? 'baseline',
      transport: 'http',
      usesMethod: anyMethod,
    });
    const upstream = parseUpstream(listener.url);
    const proxy = await httpFaultProxy({
      upstream,
      listen: ANY_PORT,
      clock,
      servesPages: true,
      faults: {
        rules,
        seed,
        lineOf: lines.lineOf,
        fired(one) {
          journal.push(one);
          server.faulted(one);
        },
        unchanged: (one) => void journal.push(one),
      },
      trouble: ignored,
    });
    return {
      at: { url: proxy.origin + upstream.path },
      journal: () => journal,
      reached: () => isReached,
      unserved: () => unserved,
      async clear() {
        server.end();
        await proxy.close();
        await listener.close();
      },
    };
  };
}
