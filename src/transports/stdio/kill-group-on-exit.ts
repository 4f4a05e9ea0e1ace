import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Cancel } from '../../kernel/clock.ts';

/**
 * Shell script that waits for the end of its input, which any death of this process causes, and then kills the group.
 * Every shell accepts `-s` together with a group number.
 */
const SCRIPT = 'read -r _; kill -s KILL -- "-$1"';

/**
 * Kills the process group `group` when this process dies, even if it is killed. Cancel before the group's number can be
 * reused. Without a shell, the group is killed only at a regular end.
 */
export function killGroupOnExit(group: number): Cancel {
  const dog = spawn('/bin/sh', ['-c', SCRIPT, 'watchdog', String(group)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  dog.on('error', () => {});
  dog.stdin.on('error', () => {});
  dog.unref();
  (dog.stdin as Socket).unref();
  return () => void dog.kill('SIGKILL');
}
