import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Command, mcpRecord } from '../../support/command.ts';
import { type Ended, Running } from '../../support/process.ts';

/** A process that listens. Killed when it goes out of scope. */
export interface Listening extends AsyncDisposable {
  url: URL;
  pid: number;
  /** All it has said on stderr. */
  said: string[];
  /** Waits until it says `line` on stdout. */
  tells(line: string): Promise<string>;
  /** Resolves when it has ended. */
  ended: Promise<Ended>;
  /** Ends it by SIGTERM, which on Windows it raises itself, and tells how it ended. */
  stop(): Promise<Ended>;
}

const announce = new URL('servers/announce.js', import.meta.url).href;

/** A server of this folder, over HTTP at `/mcp`. */
export function server(name: string, ...args: string[]): Promise<Listening> {
  const file = join(import.meta.dirname, 'servers', name);
  return serve({ command: process.execPath, args: [file, ...args] }, '/mcp');
}

/** Starts a Node program that takes its port from the environment, by default on one that is free. */
export function serve({ command, args, env }: Command, path: string, port = '0'): Promise<Listening> {
  const program: Command = { command, args: ['--import', announce, ...args], env: { ...env, PORT: port } };
  return listen(program, (line) => {
    const port = /^port (\d+)$/.exec(line)?.[1];
    return port && `http://127.0.0.1:${port}${path}`;
  });
}

/** The same command with more variables. */
export function behind(variables: Readonly<Record<string, string>>): (command: Command) => Command {
  return (command) => ({ ...command, env: { ...command.env, ...variables } });
}

/** Starts a recorder before `upstream`, with options of its own, and changed as told. */
export function record(
  upstream: URL,
  output: string,
  ...options: (string | ((command: Command) => Command))[]
): Promise<Listening> {
  const own = options.filter((option) => typeof option === 'string');
  const args = ['--http', upstream.href, '--listen', '127.0.0.1:0', '-o', output, ...own];
  const command = options
    .filter((option) => typeof option === 'function')
    .reduce((all, change) => change(all), mcpRecord('record', ...args));
  return listen(command, (line) => /listening on (\S+) for/.exec(line)?.[1]);
}

/** Starts a mock server that plays `file`. */
export function replay(file: string, ...options: string[]): Promise<Listening> {
  return listen(mcpRecord('replay', '--http', ...options, file), (line) => /listening on (\S+) for/.exec(line)?.[1]);
}

/** Starts a proxy before `upstream`, which may misbehave. */
export function proxy(upstream: URL, ...options: string[]): Promise<Listening> {
  const args = ['--http', upstream.href, '--listen', '127.0.0.1:0', ...options];
  return listen(mcpRecord('proxy', ...args), (line) => /listening on (\S+) for/.exec(line)?.[1]);
}

/** Starts a program that says where it listens. */
export async function listen(command: Command, urlIn: (line: string) => string | undefined): Promise<Listening> {
  const running = new Running(command).read();
  const { child, ended } = running;
  const said: string[] = [];
  const told: string[] = [];
  const lines = createInterface(child.stdout).on('line', (line) => told.push(line));
  const url = await new Promise<URL>((resolve, reject) => {
    createInterface(child.stderr).on('line', (line) => {
      said.push(line);
      const found = urlIn(line);
      if (found) resolve(new URL(found));
    });
    void ended.then(({ stderr }) => reject(new Error(`It ended before it listened:\n${stderr}`)));
  });
  return {
    url,
    pid: child.pid ?? 0,
    said,
    ended,
    async tells(line) {
      while (!told.includes(line)) await once(lines, 'line');
      return line;
    },
    stop() {
      running.signal('SIGTERM');
      return ended;
    },
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  };
}
