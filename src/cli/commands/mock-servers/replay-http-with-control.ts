import { startControlledHttpServer } from '../../../mock/control/controlled-http-server.ts';
import { expectationsOf } from '../../../replay/findings/failure-policy.ts';
import { parseTiming } from '../../../replay/timing.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { childExitStatus } from '../../io/child-exit-status.ts';
import { EXIT, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { faultsOf } from '../../options/fault-options.ts';
import { sayUnusedIgnores } from '../../options/ignore-options.ts';
import { parseListenAddress } from '../../options/listen-address.ts';
import { authorizationOf } from '../../options/mock-auth-options.ts';
import { redactionOfSecrets } from '../../reports/output-redactor.ts';
import { findingPrinter, lateFindings } from './finding-printer.ts';
import { parseReaction, REPLAY_FAILS, withFailingOption } from './on-difference-option.ts';
import type { Options } from './replay.ts';
import { servedCassettes } from './replay-http.ts';

/** Runs `mcp-record replay PATH --http --control ADDRESS`: serves a cassette over HTTP, with a control API. */
export async function run(path: string, options: Options): Promise<number> {
  const { strict = false, strictFaults = false, allowHost, repeat } = options;
  const controlAddress = parseListenAddress(options.control!, '--control');
  const address = parseListenAddress(options.listen);
  const { cassettes, ignore, given } = await servedCassettes(path, options);
  const faults = await faultsOf(options, 'http', 'client', cassettes);
  const expectations = expectationsOf(strict, parseReaction(options.onDifference));
  const initial = { rules: faults?.rules ?? [], seed: faults?.seed ?? 0 };
  const auth = await authorizationOf(options, { cassettes, handlers: [] });
  const stopped = untilSignal();
  const redact = await redactionOfSecrets(options);
  const { print, printed } = findingPrinter(redact);
  const refused = (request: string, why: string) => say(`refused ${printable(request)}: ${printable(why)}`);
  const server = await startControlledHttpServer({
    name: path,
    cassettes,
    endpoint: {
      ...expectations,
      timing: parseTiming(options.timing),
      ignore,
      ...(repeat && { repeat: 'last' }),
    },
    faults: { initial, isInitialRequired: strictFaults },
    address,
    path: options.path,
    allowed: allowHost,
    ...(auth && { auth }),
    control: { address: controlAddress, refused },
    report: print,
    refused: (why) => say(printable(why)),
    fired(one, rules) {
      if (rules === initial.rules) faults?.fired(one);
    },
    unchanged(one, rules) {
      if (rules === initial.rules) faults?.unchanged(one);
    },
  });
  say(`control API on ${server.controlUrl}`);
  say(`listening on ${server.url} for ${path}${server.sseUrl ? ` (HTTP with SSE: ${server.sseUrl})` : ''}`);
  if (server.issuer !== undefined) say(`access tokens are issued by ${server.issuer}`);
  sayHowToEnd();
  const status = await Promise.race([stopped, server.exited]);
  const { outcome, hasFailed } = await server.finish();
  for (const finding of lateFindings(outcome, printed))
    say(redact(withFailingOption(finding, REPLAY_FAILS, expectations)));
  sayUnusedIgnores(given, cassettes);
  process.exit(hasFailed || faults?.isJournalLost === true ? EXIT.fellShort : childExitStatus(status));
}
