import type { Cassette } from '../../cassette/cassette.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { parseFaultRules } from '../../faults/rules/parse-fault-rules.ts';
import { anyMethod } from '../../faults/rules/unknown-rule-method.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { projectRules } from '../../record/redact-file/redaction-rules-file.ts';
import { httpCassettes } from '../../replay/http/http-cassette.ts';
import { discoverResponseFromProbe } from '../../replay/prepare/recorded-discover.ts';
import { type MockTarget, UNSERVED } from '../../sweep/client/attempt-run.ts';
import { type FaultCase, rulesFileOf } from '../../sweep/client/fault-cases.ts';
import { PlayedLines } from '../../sweep/client/played-lines.ts';
import { maskSecretsFor } from '../options/restore-secrets-from-env.ts';
import { faultyHttpMockServer } from '../scenario/faulty-http-mock-server.ts';

/** Returns a target that serves a cassette over HTTP, for clients that connect to it. */
export function httpMockServer(cassette: Cassette): (point: FaultCase | undefined) => Promise<MockTarget> {
  const served = httpCassettes(cassette, discoverResponseFromProbe(cassette.file));
  let masks: Promise<Ignore[]> | undefined;
  return async (point) => {
    masks ??= maskSecretsFor(cassette, projectRules(process.env));
    const ignore = await masks;
    const lines = new PlayedLines();
    const unserved: string[] = [];
    const journal: Fired[] = [];
    const { rules, seed = 0 } = parseFaultRules(rulesFileOf(point), {
      name: point?.name ?? 'baseline',
      transport: 'http',
      usesMethod: anyMethod,
    });
    const note = (one: Fired) => void journal.push(one);
    const server = await faultyHttpMockServer({
      cassettes: served,
      ignore,
      report: ({ kind, text }) => void (UNSERVED.has(kind) && unserved.push(text)),
      sent: lines.sent,
      faults: { rules, seed, lineOf: lines.lineOf, fired: note, unchanged: note },
    });
    return {
      at: { url: server.url },
      journal: () => journal,
      reached: server.reached,
      unserved: () => unserved,
      clear: server.close,
    };
  };
}
