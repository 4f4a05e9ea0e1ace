import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { readLiveAssets } from '../../../html-report/report-assets.ts';
import { type Milliseconds, systemClock } from '../../../kernel/clock.ts';
import { unguessable } from '../../../kernel/random.ts';
import { projectRedactor } from '../../../record/redact-file/project-redactor.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { shellWord } from '../../../text-report/shell-word.ts';
import { startUiServer } from '../../../ui/ui-server.ts';
import type { ServerUnderTest } from '../../../ui/verification/verified-server-types.ts';
import { EXIT, print, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { parseListenAddress } from '../../options/listen-address.ts';

interface Options {
  listen: string;
  open?: boolean;
  http?: string;
  header: string[];
  ca?: string;
}

/** As `verify --timeout`. */
const PATIENCE: Milliseconds = 10_000;

/**
 * Runs `mcp-record ui [FOLDER|CASSETTE] [-- COMMAND…]`: serves the report page with live sessions until a signal. Its
 * pages may verify the server that the command line names, and go on with it after a replay.
 */
export async function run(command: Command): Promise<number> {
  const { listen, open = false, http, header, ca } = command.opts<Options>();
  const [path, words] = pathAndCommand(command.args, process.argv);
  const address = parseListenAddress(listen);
  const tested =
    http !== undefined || words.length > 0 ? await serverUnderTest(words, { http, header, ca }) : undefined;
  const stopped = untilSignal();
  const server = await startUiServer({
    path,
    address,
    key: unguessable(),
    assets: readLiveAssets(),
    clock: systemClock,
    ...(tested && { server: tested }),
    redactor: () => projectRedactor({ env: process.env }),
    refused: (request, why) => say(`refused ${printable(request)}: ${printable(why)}`),
  });
  say(`${printable(path)} is served at this address, which lets its holder read the sessions:`);
  await print(`${server.url}\n`);
  if (open) openInBrowser(server.url);
  sayHowToEnd();
  await stopped;
  await server.close();
  // Child processes of a server under test may hold its streams open, and must not keep this process alive.
  if (tested) process.exit(EXIT.ok);
  return EXIT.ok;
}

/**
 * Splits the arguments: the path, which may be missing, and the command of the server after `--`. The parser of the
 * command line drops the dashes.
 */
function pathAndCommand(args: readonly string[], argv: readonly string[]): [path: string, words: readonly string[]] {
  const dashes = argv.indexOf('--');
  const isAlone = dashes >= 0 && args.length === argv.length - dashes - 1;
  const [path = '.', ...words] = isAlone ? ['.', ...args] : args;
  return [path, words];
}

interface ServerOptions extends Pick<Options, 'header'> {
  http: string | undefined;
  ca: string | undefined;
}

/** Returns the server of the command line, which is started anew for each verification. */
async function serverUnderTest(
  words: readonly string[],
  { http, header, ca }: ServerOptions,
): Promise<ServerUnderTest> {
  const [{ liveServerConnector }, { faultLayerFor }, { givenHeaders }] = await Promise.all([
    import('../../options/connect-live-server.ts'),
    import('../../options/fault-layer.ts'),
    import('../../options/header-options.ts'),
  ]);
  const given = await givenHeaders(http, header, process.env);
  const options = {
    command: 'ui',
    headers: given.headers,
    ...(http !== undefined && { http }),
    ...(ca !== undefined && { ca }),
  };
  const credentials = { env: process.env, ...given };
  const redactor = () => projectRedactor(credentials);
  return {
    name: redactor().text(http ?? words.map(shellWord).join(' ')),
    start: liveServerConnector(words, options, await faultLayerFor(undefined)),
    isHttp: http !== undefined,
    patience: PATIENCE,
    redactor,
    credentials,
    prepareFork: async (requested) =>
      (await import('../../fork/fork-of-page.ts')).forkOfPage(requested, { words, http, header, ca }),
  };
}

/** Commands that open a URL in the default browser, by platform. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opens a URL in the default browser. */
function openInBrowser(url: string): void {
  const [command = '', ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
  child.once('error', () => say(`no browser was opened: there is no ${command}. Open the address yourself.`));
  child.unref();
}
