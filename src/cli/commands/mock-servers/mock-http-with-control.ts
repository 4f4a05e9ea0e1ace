import { startControlledHttpServer } from '../../../mock/control/controlled-http-server.ts';
import { readMockFile } from '../../../mock/file/mock-file.ts';
import { emptyCassette, emptyModernCassette } from '../../../mock/server/empty-cassettes.ts';
import { expectationsOf } from '../../../replay/findings/failure-policy.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { authorizationOf } from '../../options/mock-auth-options.ts';
import { findingPrinter, lateFindings } from './finding-printer.ts';
import { type Options, readAgain } from './mock.ts';
import { MOCK_FAILS, parseReaction, withFailingOption } from './on-difference-option.ts';

/** Runs `mcp-record mock FILE --http --control ADDRESS`: serves a mock file, with a control API. */
export async function run(file: string, options: Options): Promise<never> {
  const { listen, path, allowHost } = options;
  const controlAddress = parseListenAddress(options.control!, '--control');
  const address = parseListenAddress(listen);
  const expectations = expectationsOf(false, parseReaction(options.onDifference));
  const { handlers, ...description } = readMockFile(file);
  const auth = await authorizationOf(options, { cassettes: [], handlers });
  const stopped = untilSignal();
  const { print, printed } = findingPrinter();
  const refused = (request: string, why: string) => say(`refused ${printable(request)}: ${printable(why)}`);
  const server = await startControlledHttpServer({
    name: file,
    cassettes: [emptyCassette(), emptyModernCassette()],
    description,
    endpoint: { ...expectations, handlers },
    faults: { initial: { rules: [], seed: 0 }, isInitialRequired: false },
    address,
    path,
    allowed: allowHost,
    ...(auth && { auth }),
    control: { address: controlAddress, refused },
    report: print,
    refused: (why) => say(printable(why)),
  });
  readAgain(file, server.handlers);
  say(`control API on ${server.controlUrl}`);
  say(`listening on ${server.url} for ${file}${server.sseUrl ? ` (HTTP with SSE: ${server.sseUrl})` : ''}`);
  if (server.issuer !== undefined) say(`access tokens are issued by ${server.issuer}`);
  sayHowToEnd();
  const status = await Promise.race([stopped, server.exited]);
  const { outcome, hasFailed } = await server.finish();
  for (const finding of lateFindings(outcome, printed)) say(withFailingOption(finding, MOCK_FAILS, expectations));
  return process.exit(hasFailed ? EXIT.fellShort : childExitStatus(status));
}
