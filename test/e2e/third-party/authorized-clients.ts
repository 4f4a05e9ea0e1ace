import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Command } from '../../support/command.ts';
import { Running, run } from '../../support/process.ts';
import type { Peer } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';
import type { Installed } from './installed.ts';

/** A client whose user logs in where it sends them. */
export interface AuthorizedClient extends AsyncDisposable {
  /** Calls a tool, after connecting if it has not, and returns the text of the answer. Throws what its user is told. */
  call(tool: string): Promise<string>;
}

/** A home and a browser of one client's own. The browsers of other systems than Linux are not replaced. */
export class Desk {
  readonly #log: string;
  readonly #env: Readonly<Record<string, string>>;

  constructor(folder: string) {
    const home = mkdtempSync(join(folder, 'home-'));
    this.#log = join(home, 'browser.log');
    this.#env = {
      HOME: home,
      BROWSER: join(import.meta.dirname, 'browser.js'),
      BROWSER_LOG: this.#log,
      // Where this is the desktop, xdg-open starts $BROWSER.
      XDG_CURRENT_DESKTOP: 'X-Generic',
      // The Inspector opens no browser without a terminal, and by default waits for it at a fixed port.
      MCP_AUTO_OPEN_ENABLED: 'true',
      MCP_OAUTH_CALLBACK_URL: 'http://127.0.0.1:0/oauth/callback',
      MCP_INSPECTOR_SECRET_STORE: 'file',
    };
  }

  /** The login pages that the user was sent to. */
  get pages(): URL[] {
    if (!existsSync(this.#log)) return [];
    return readFileSync(this.#log, 'utf8')
      .trimEnd()
      .split('\n')
      .map((url) => new URL(url));
  }

  /** How often the user was asked. */
  get asked(): number {
    return this.pages.length;
  }

  /** The same command at this desk. */
  at({ command, args }: Command): Command & { env: Record<string, string> } {
    return { command, args, env: { ...this.#env } };
  }
}

/** Where a client is started, and the server that it connects to. */
export interface Place {
  installed: Installed;
  desk: Desk;
  url: string;
}

const textOf = (result: unknown): string => (result as { content: { text: string }[] }).content[0]!.text;

function mcpRemote({ installed, desk, url }: Place): AuthorizedClient {
  const options = ['--allow-http', '--transport', 'http-only'];
  const transport = new StdioClientTransport({
    ...desk.at(installed.program('mcp-remote', url, ...options)),
    stderr: 'pipe',
  });
  const said: string[] = [];
  createInterface(transport.stderr as Readable).on('line', (line) => said.push(line));
  let peer: Peer | undefined;
  return {
    async call(tool) {
      try {
        peer ??= await sdk1Over(transport);
        return textOf(await peer.request('tools/call', { name: tool, arguments: {} }));
      } catch (error) {
        // A proxy that ends says why on stderr.
        const why = said.flatMap((line) => /Fatal error: (?:Error: )?(.*)/.exec(line)?.[1] ?? []);
        throw new Error(why.at(-1) ?? (error as Error).message);
      }
    },
    [Symbol.asyncDispose]: () => transport.close(),
  };
}

/** What a command of the Inspector prints. Throws the message of its failure. */
async function printed(command: Command): Promise<string> {
  const { status, stdout, stderr } = await run(command);
  if (status === 0) return stdout.toString();
  const [envelope] = /^\{"error":.*$/m.exec(stderr) ?? [];
  if (envelope === undefined) throw new Error(stderr);
  const { code, message } = (JSON.parse(envelope) as { error: { code: string; message: string } }).error;
  throw Object.assign(new Error(message), { code });
}

/** The command line of the Inspector: each call is a session. */
function inspectorCli({ installed, desk, url }: Place): AuthorizedClient {
  const options = ['--cli', url, '--transport', 'http', '--format', 'json', '--method', 'tools/call', '--tool-name'];
  return {
    async call(tool) {
      const { result } = JSON.parse(await printed(desk.at(installed.program('mcp-inspector', ...options, tool))));
      return textOf(result);
    },
    async [Symbol.asyncDispose]() {},
  };
}

/** The Inspector's commands for one connection, which a process in the background keeps. */
function mcpdo({ installed, desk, url }: Place): AuthorizedClient {
  const tell = (...args: string[]) => printed(desk.at(installed.program('mcpdo', ...args)));
  const options = ['--connection', 'mock', '--format', 'json'];
  const connect = () => tell('connect', url, ...options);
  let isConnected = false;
  return {
    async call(tool) {
      const call = async () => textOf(JSON.parse(await tell('tools/call', tool, ...options)));
      if (!isConnected) await connect();
      isConnected = true;
      return call().catch(async (error: { code?: string }) => {
        if (error.code !== 'auth_required') throw error;
        await connect();
        return call();
      });
    },
    async [Symbol.asyncDispose]() {
      await tell('daemon', 'stop');
    },
  };
}

function aiSdk({ installed, desk, url }: Place): AuthorizedClient {
  const running = new Running(desk.at(installed.program('ai-sdk-authorized', url)));
  return {
    async call(tool) {
      running.child.stdin.write(`${tool}\n`);
      const outcome = JSON.parse(await running.line()) as { error?: string };
      if (outcome.error !== undefined) throw new Error(outcome.error);
      return textOf(outcome);
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}

/** The clients, by their names on docs/auth-other-clients.md. */
export const CLIENTS: Readonly<Record<string, (place: Place) => AuthorizedClient>> = {
  'mcp-remote': mcpRemote,
  Inspector: inspectorCli,
  mcpdo,
  'AI SDK': aiSdk,
};
