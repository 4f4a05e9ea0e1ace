import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Command, everything } from '../../support/command.ts';
import { recentNode } from '../../support/recent-node.ts';

const run = promisify(execFile);
const cache = join(import.meta.dirname, '..', '..', '..', 'node_modules', '.cache', 'strangers');

/** A client that is nobody's library here: a program of its own, started once for one question. */
export interface Stranger {
  /** Also that of its cassette. */
  name: string;
  server: Command;
  /** What it prints, asked for the sum of 3 and 4 with `server` as its server. */
  ask(server: Command): Promise<string>;
}

/** MCP Inspector's command line (Node 22 or later). Swallows the first `--` of its server's command. */
const inspector: Stranger = {
  name: 'inspector',
  server: everything,
  async ask({ command, args }) {
    const program = await installed('@modelcontextprotocol/inspector', '0.21.2', 'cli/build/cli.js');
    const question = ['--method', 'tools/call', '--tool-name', 'get-sum', '--tool-arg', 'a=3', '--tool-arg', 'b=4'];
    return onNode24(program, ['--cli', command, ...args, ...question]);
  },
};

/** mcporter (Node 24 or later). Takes the server as one string, and its `--` for its own. */
const mcporter: Stranger = {
  name: 'mcporter',
  server: everything,
  async ask({ command, args }) {
    const program = await installed('mcporter', '0.12.3', 'dist/cli.js');
    return onNode24(program, [
      ...['call', '--stdio', command, ...args.flatMap((arg) => ['--stdio-arg', arg])],
      ...['--name', 'everything', 'get-sum', 'a=3', 'b=4', '--output', 'json'],
    ]);
  },
};

export const strangers: readonly Stranger[] = [inspector, mcporter];

/** The entry of a package that is no dependency of ours: installed on first use, beside our own. */
async function installed(name: string, version: string, entry: string): Promise<string> {
  const folder = join(cache, `${name.replace('/', '+')}-${version}`);
  if (!existsSync(folder)) {
    const fresh = `${folder}.${process.pid}`;
    mkdirSync(fresh, { recursive: true });
    writeFileSync(join(fresh, 'package.json'), '{ "private": true }');
    await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', `${name}@${version}`], {
      cwd: fresh,
    });
    if (existsSync(folder)) rmSync(fresh, { recursive: true });
    else renameSync(fresh, folder);
  }
  return join(folder, 'node_modules', name, entry);
}

async function onNode24(program: string, args: string[]): Promise<string> {
  // The Inspector takes a `package.json` of the folder above the working directory for its own.
  const { stdout } = await run(recentNode(24), [program, ...args], { cwd: cache });
  return stdout;
}
