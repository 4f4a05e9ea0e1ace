import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Command, mcpRecord } from './command.ts';

/** A tiny real program of `test/fixtures`. */
export function fixture(name: string, ...args: string[]): Command {
  return { command: process.execPath, args: [join(import.meta.dirname, '..', 'fixtures', name), ...args] };
}

/** A recorder in front of a command, with more options before the file. */
export function recorder(file: string, { command, args }: Command, ...options: string[]): Command {
  return mcpRecord('record', ...options, '-o', file, '--', command, ...args);
}

export interface Ended {
  stdout: Buffer;
  stderr: string;
  status: number | null;
  signal: NodeJS.Signals | null;
}

const RAISES_SIGNALS = new URL('raises-signals.js', import.meta.url).href;

/** A process under test. Ended, whatever happens, when it goes out of scope. */
export class Running implements AsyncDisposable {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  readonly #stdout: Buffer[] = [];
  readonly #stderr: Buffer[] = [];

  constructor({ command, args, env, cwd }: Command) {
    const hears = process.platform === 'win32' && command === process.execPath;
    this.child = spawn(command, hears ? ['--import', RAISES_SIGNALS, ...args] : args, {
      env: { ...process.env, ...env },
      cwd,
      stdio: hears ? ['pipe', 'pipe', 'pipe', 'ipc'] : 'pipe',
    }) as ChildProcessWithoutNullStreams;
    this.child.stdin.on('error', () => {});
    this.ended = once(this.child, 'close').then(([status, signal]) => ({
      stdout: Buffer.concat(this.#stdout),
      stderr: Buffer.concat(this.#stderr).toString(),
      status,
      signal,
    }));
  }

  /** Sends a signal that the process handles. On Windows, a Node process raises it itself, because no other can send one. */
  signal(name: NodeJS.Signals): void {
    if (this.child.channel) this.child.send(name);
    else this.child.kill(name);
  }

  /** Reads both streams to their ends. */
  read(): this {
    this.child.stdout.on('data', (data) => this.#stdout.push(data));
    this.child.stderr.on('data', (data) => this.#stderr.push(data));
    return this;
  }

  /** The next line of a stream. */
  async line(stream: Readable = this.child.stdout): Promise<string> {
    let text = '';
    while (!text.includes('\n')) {
      const data: Buffer | null = stream.read();
      if (data === null) await once(stream, 'readable');
      else text += data;
    }
    const [line = '', rest] = [text.slice(0, text.indexOf('\n')), text.slice(text.indexOf('\n') + 1)];
    if (rest) stream.unshift(Buffer.from(rest));
    return line;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    this.read();
    await this.ended;
  }
}

/** Runs a command to its end, giving it `input` and then the end of input. */
export async function run(command: Command, input: Uint8Array | string = ''): Promise<Ended> {
  await using running = new Running(command).read();
  running.child.stdin.end(input);
  return await running.ended;
}

/** Memory that a process holds, in bytes (Linux; elsewhere 0). */
export function residentBytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? 0) * 1024;
}

/**
 * Whether a process is there, and not only its corpse. Its first thread may be one before its other threads have ended, and
 * until those have, its sockets are open.
 */
export function isAlive(pid: number): boolean {
  const folder = `/proc/${pid}`;
  try {
    process.kill(pid, 0);
    if (!existsSync(folder) || !/\) Z /.test(readFileSync(`${folder}/stat`, 'utf8'))) return true;
    return readdirSync(`${folder}/task`).length > 1;
  } catch {
    // Gone, perhaps while we read.
    return false;
  }
}

/** Waits until a process that is not our child is gone. */
export async function gone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until the parent of a process has heard that it is gone. */
export async function reaped(pid: number): Promise<void> {
  try {
    for (;;) {
      process.kill(pid, 0);
      await new Promise((resolve) => setImmediate(resolve));
    }
  } catch {
    // Nobody has this number.
  }
}
