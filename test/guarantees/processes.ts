import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixture } from '../support/process.ts';
import type { Asked } from './entry-point.ts';
import { PATIENCE } from './plays.ts';

/** The built program, as words after `node`. */
export const CLI: readonly string[] = [join(import.meta.dirname, '..', '..', 'bin', 'mcp-record.js')];

/** Longer than all that one process plays may take. */
const DEADLINE = 120_000;

/** Runs a Node program to its end. */
export async function runProcess(args: readonly string[]): Promise<{ status: number | null }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const [status] = await once(child, 'exit');
  return { status };
}

/** What `replay` is given to compare so much. */
export function strictness(asked: Asked): string[] {
  if (asked === 'difference') return ['--on-difference', 'fail'];
  return asked === 'request' ? ['--strict'] : [];
}

/** Plays clients to one `replay --http` with these words, each in a session of its own. True: it ends with 1. */
export async function replayHttpFails(
  more: readonly string[],
  live: readonly string[],
  asked: Asked,
  play: (live: string, url: string) => Promise<void>,
): Promise<boolean> {
  const words = ['replay', '--http', ...strictness(asked), ...more];
  const child = spawn(process.execPath, [...CLI, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (said: string) => {
      text += said;
      const [, found] = /listening on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(text)));
  });
  await Promise.all(live.map((one) => play(one, url)));
  child.kill('SIGTERM');
  const [status] = await ended;
  return status === 1;
}

/** Plays clients to one `run`, for each of which it starts the recorded server again. True: it ends with 1. */
export async function runFails(recorded: string, live: readonly string[]): Promise<boolean> {
  const scenario = `${live[0]}.scenario.yaml`;
  // What is expected holds of all, so that only what is not asked for can fail.
  const expect = [{ exit: 0 }];
  writeFileSync(scenario, JSON.stringify({ cassette: recorded, play: 'server', deadline: DEADLINE, expect }));
  const { status } = await runProcess([...CLI, 'run', scenario, '--', ...clients(live, '{server}')]);
  if (status !== 0 && status !== 1) throw new Error(`The run of ${scenario} ended with ${status}.`);
  return status === 1;
}

/** Plays clients in one `sweep`, to one mock server over HTTP: once without, and once with a fault. True: it ends with 1. */
export async function sweepFails(recorded: string, live: readonly string[]): Promise<boolean> {
  const options = ['--http', '--point', 'duplicate@1', '--deadline', String(DEADLINE)];
  const { status } = await runProcess([...CLI, 'sweep', ...options, recorded, '--', ...clients(live, '{url}')]);
  if (status !== 0 && status !== 1) throw new Error(`The sweep of ${live.join(', ')} ended with ${status}.`);
  return status === 1;
}

/** A command that plays the clients of cassettes to a server, and ends with 0. */
function clients(live: readonly string[], server: string): string[] {
  const { command, args = [] } = fixture('plays-cassettes.js', String(PATIENCE), ...live, '--', server);
  return [command, ...args];
}
