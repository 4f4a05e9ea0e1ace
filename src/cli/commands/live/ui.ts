import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { readLiveAssets } from '../../../html-report/report-assets.ts';
import { systemClock } from '../../../kernel/clock.ts';
import { unguessable } from '../../../kernel/random.ts';
import { createRedactor } from '../../../redact/redactor.ts';
import { printable } from '../../../text-report/printable-text.ts';
import { startUiServer } from '../../../ui/ui-server.ts';
import { EXIT, print, say } from '../../io/output.ts';
import { untilSignal } from '../../io/signals.ts';
import { sayHowToEnd } from '../../io/waiting-for-client-hint.ts';
import { parseListenAddress } from '../../options/listen-address.ts';

interface Options {
  listen: string;
  open?: boolean;
}

/** Runs `mcp-record ui [FOLDER|CASSETTE]`: serves the report page with live sessions until a signal. */
export async function run(command: Command): Promise<number> {
  const { listen, open = false } = command.opts<Options>();
  const [path = '.'] = command.args;
  const stopped = untilSignal();
  const server = await startUiServer({
    path,
    address: parseListenAddress(listen),
    key: unguessable(),
    assets: readLiveAssets(),
    clock: systemClock,
    redactor: () => createRedactor({ env: process.env }),
    refused: (request, why) => say(`refused ${printable(request)}: ${printable(why)}`),
  });
  say(`${printable(path)} is served at this address, which lets its holder read the sessions:`);
  await print(`${server.url}\n`);
  if (open) openInBrowser(server.url);
  sayHowToEnd();
  await stopped;
  await server.close();
  return EXIT.ok;
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
