import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import type { Cancel } from '../../kernel/clock.ts';

/**
 * Reads until its input ends, which our death brings about however we die, and then kills the group. `-s` is the form
 * that every shell takes together with a group's number.
 */
const SCRIPT = 'read -r _; kill -s KILL -- "-$1"';

/**
 * Makes the process group `group` die with us, also when we are killed without warning. Called off before the group's
 * number can be used again. Where there is no shell, an ordinary end still takes the group along.
 */
export function watchGroup(group: number): Cancel {
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
