import { execFileSync } from 'node:child_process';
import { type Milliseconds, whileAlive } from '../../kernel/clock.ts';

const LOOK_EVERY: Milliseconds = 500;

/**
 * Runs `task` when the npx that started this program has ended. npx sends SIGTERM to its shell only, which does not
 * forward it, and SIGHUP ends npx alone, so this program would run forever. Programs not started by npx, for example
 * under nohup, may outlive their parent.
 */
export function whenNpxIsGone(task: () => void): void {
  if (!isStartedByNpx(process.env) || process.platform === 'win32') return;
  const parent = process.ppid;
  // Looked up before any announcement of this program, because npx may end immediately.
  const npx = npxAbove(parent);
  const stop = whileAlive(LOOK_EVERY, () => {
    if (process.ppid === parent && (npx === undefined || isThere(npx))) return;
    stop();
    task();
  });
}

/** Reports whether npx runs this program. Child processes inherit npx's variables, so the script name is checked. */
export function isStartedByNpx(env: NodeJS.ProcessEnv): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = env;
  return event === 'npx' && /(?:^|['"\s/])mcp-record\b/.test(script);
}

/** Returns the process id of npx if it is the parent of `shell`. */
function npxAbove(shell: number): number | undefined {
  try {
    const above = Number(ps('ppid=', shell));
    return /\bnp[mx]\b/.test(ps('args=', above)) ? above : undefined;
  } catch {
    // Without ps, only the parent is watched.
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
