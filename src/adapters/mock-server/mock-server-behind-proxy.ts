import type { CassetteSource } from '../../cassette/cassette.ts';
import { usesMethod } from '../../cassette/uses-method.ts';
import { requestsOf } from '../../journal/journal.ts';
import { authorizationSettings } from '../../mock/authorization/authorization-options.ts';
import { checkStepUpTools } from '../../mock/authorization/check-step-up-tools.ts';
import { recordedAuthorization } from '../../mock/authorization/recorded/recorded-authorization.ts';
import { endpointEnded } from '../../mock/endpoint/refuse-after-end.ts';
import { emptyCassette, emptyModernCassette, NO_CASSETTE } from '../../mock/server/empty-cassettes.ts';
import { startListeningServer } from '../../mock/server/fault-proxied-server.ts';
import type { ServerDescription } from '../../mock/server/server-fallback-answers.ts';
import type { FaultRule } from '../../modes/faulty-channel.ts';
import { parseMockServerFaults } from '../../modes/faulty-channel.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { loadAndWarn } from '../test/print-test-notes.ts';
import type { HttpMockServer, HttpOptions } from './mock-server-types.ts';
import { finishOrDispose } from './raise-unread-failures.ts';

/**
 * Starts a recorded server on a socket, behind a fault proxy. Without rules the proxy passes every message unchanged.
 * @throws McpRecordError those of `loadCassette`, FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING, MOCK_AUTH_BAD
 */
export async function mockServerBehindProxy(
  source: CassetteSource | undefined,
  { faults = [], seed = 0, over, auth, responseMode, ...endpoint }: HttpOptions,
  description?: ServerDescription,
): Promise<HttpMockServer> {
  const loaded = source === undefined ? undefined : loadAndWarn(source);
  const cassette = loaded?.file ?? '';
  const cassettes = loaded ? [loaded] : [];
  const settings = auth ? authorizationSettings(auth, undefined, recordedAuthorization(cassettes)) : undefined;
  if (settings) checkStepUpTools(settings, { handlers: endpoint.handlers ?? [], cassettes });
  const parsed = (written: readonly FaultRule[]) =>
    parseMockServerFaults(written, 'http', (method) => usesMethod(cassettes, method));
  const rules = parsed(faults);
  const played = description
    ? { files: [emptyCassette(), emptyModernCassette()], description, responseMode }
    : { files: loaded ? [loaded] : [], responseMode };
  const server = await startListeningServer({
    endpoint,
    name: cassette || NO_CASSETTE,
    played,
    faults: { rules, seed },
    ...(settings && { auth: settings }),
  });
  const { handlers, journal, fired } = server;
  let outcome: Promise<ReplayOutcome> | undefined;
  const finish = () => {
    outcome ??= server.finish();
    return outcome;
  };
  return {
    cassette,
    url: server.url,
    ...(server.issuer !== undefined && { issuer: server.issuer }),
    received: (method) => requestsOf(journal, method),
    journal,
    misbehave: (others) => server.use(parsed(others)),
    fired,
    use: (...more) => handlers.use(more),
    resetHandlers: () => handlers.resetHandlers(),
    notify: (method, params) => void handlers.notify(method, params),
    request: (method, params, options) => handlers.ask(method, params, options),
    ...finishOrDispose({
      cassette,
      journal,
      finish,
      fired: () => fired,
      async reset() {
        if (outcome) throw endpointEnded(cassette, 'reset()');
        return server.reset();
      },
    }),
  };
}
