import { systemClock as clock } from '../../../kernel/clock.ts';
import { unguessable } from '../../../kernel/random.ts';
import { RefusedClients } from '../../../mock/authorization/refused-clients.ts';
import { emptyCassette, emptyModernCassette } from '../../../mock/server/empty-cassettes.ts';
import { httpCassettes } from '../../../replay/http/http-cassette.ts';
import { HttpMockHandler } from '../../../replay/http/http-mock-handler.ts';
import { SSE_ENDPOINT, SSE_PATH } from '../../../replay/http/legacy-sse-server.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { listen } from '../../../transports/http/server/http-listener.ts';
import { say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { protectedServerFor } from '../../options/mock-auth-options.ts';
import type { Options, ServedMock } from './mock.ts';
import { MOCK_FAILS, withFailingOption } from './on-difference-option.ts';

const BODY_BYTES_MAX = 64 * 1024 * 1024;

/** Runs `mcp-record mock FILE --http`: serves a mock file over Streamable HTTP, until a signal. */
export async function run(mock: ServedMock, options: Options): Promise<never> {
  const { listen: address, path, allowHost } = options;
  const { file, handlers, report } = mock;
  const server = new HttpMockHandler({
    cassettes: [emptyCassette(), emptyModernCassette()].flatMap((one) => httpCassettes(one)),
    clock,
    timing: 'instant',
    ignore: [],
    report,
    finished: () => {},
    newSession: unguessable,
    needsRevisionHeader: true,
    intercept: (play) => handlers.player(play, report),
  });
  const authorization = await protectedServerFor({ ...options, refused: report }, clock, {
    cassettes: [],
    handlers: mock.initial,
  });
  const refusals = new RefusedClients(true);
  const listener = await listen({
    ...parseListenAddress(address),
    path,
    otherPaths: [SSE_PATH, SSE_ENDPOINT, ...(authorization?.paths ?? [])],
    allowed: allowHost,
    bodyMax: BODY_BYTES_MAX,
    refused: (request, why) => say(`refused ${printable(request)}: ${printable(why)}`),
    strayed: (asked) => server.strayed(asked, path),
    serve: authorization?.protect(refusals.noteSessions(server.serve), refusals.decidedRequest) ?? server.serve,
  });
  const stopped = untilSignal();
  say(`listening on ${listener.url} for ${file} (HTTP with SSE: ${new URL(SSE_PATH, listener.url)})`);
  if (authorization) say(`access tokens are issued by ${authorization.issuerAt(new URL(listener.url).origin)}`);
  sayHowToEnd();
  await stopped;
  handlers.end(report);
  server.end();
  for (const finding of refusals.findings)
    report({ ...finding, text: withFailingOption(finding, MOCK_FAILS, mock.expectations) });
  await listener.close();
  return process.exit(mock.status);
}
