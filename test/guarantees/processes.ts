import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** The built program, as words after `node`. */
export const CLI: readonly string[] = [join(import.meta.dirname, '..', '..', 'bin', 'mcp-record.js')];

/** Runs a Node program to its end. */
export async function runProcess(args: readonly string[]): Promise<{ status: number | null }> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const [status] = await once(child, 'exit');
  return { status };
}

/** A mock server over HTTP that somebody has started, and its exit status when it is told to end. */
export interface ReplayServer {
  url: string;
  end(): Promise<number | null>;
}

/** Starts `replay --http`, which listens when this resolves. */
export async function startReplayHttp(cassette: string, strict: boolean): Promise<ReplayServer> {
  const words = ['replay', '--http', ...(strict ? ['--strict'] : []), cassette];
  const child = spawn(process.execPath, [...CLI, ...words], { stdio: ['ignore', 'ignore', 'pipe'] });
  let text = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (more: string) => {
      text += more;
      const [, found] = /listening on (\S+)/.exec(text) ?? [];
      if (found) resolve(found);
    });
    child.once('exit', () => reject(new Error(text)));
  });
  return {
    url,
    async end() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [status] = await ended;
      return status;
    },
  };
}
