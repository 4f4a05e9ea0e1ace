import { execFileSync } from 'node:child_process';
import { type Milliseconds, whileAlive } from '../../kernel/clock.ts';

const LOOK_EVERY: Milliseconds = 500;

/**
 * Runs `task` once the npx that started this program is gone. npx passes SIGTERM to its shell alone, which passes it to
 * nobody, and SIGHUP ends npx alone: this program would go on for ever. A program that npx did not start, such as one under
 * nohup, outlives whoever started it.
 */
export function whenNpxIsGone(task: () => void, env: NodeJS.ProcessEnv = process.env): void {
  if (!isStartedByNpx(env) || process.platform === 'win32') return;
  const parent = process.ppid;
  // Looked up before anybody is told that this program is there: npx may be gone at once.
  const npx = npxAbove(parent);
  const stop = whileAlive(LOOK_EVERY, () => {
    if (process.ppid === parent && (npx === undefined || isThere(npx))) return;
    stop();
    task();
  });
}

/** npx names the program that it runs; what it has started passes its variables on. */
function isStartedByNpx(env: NodeJS.ProcessEnv): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env;
  return event === 'npx' && /(?:^|['"\s/])mcp-record\b/.test(script);
}

/** Returns the process id of npx if it is the parent of `shell`. */
function npxAbove(shell: number): number | undefined {
  try {
    const above = Number(ps('ppid=', shell));
    return /\bnp[mx]\b/.test(ps('args=', above)) ? above : undefined;
  } catch {
    // Without ps the parent alone is watched.
    return undefined;
  }
}

function ps(column: string, pid: number): string {
  return execFileSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8', stdio: 'pipe' }).trim();
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
