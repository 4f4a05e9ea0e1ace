import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';

/** Grace period in which a process notices the loss of its peer and ends. */
const GRACE: Milliseconds = 2_000;
const LOOK_EVERY: Milliseconds = 20;

/** Reports whether the group has a running process. Zombies do not count. */
function isGroupAlive(group: number): boolean {
  if (!signal(group, 0)) return false;
  return existsSync('/proc/self/stat') ? membersOf(group).length > 0 : true;
}

/** Ends every process of the group. */
export function endGroup(group: number): void {
  signal(group, 'SIGKILL');
}

function signal(group: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, name);
  } catch {
    return false;
  }
}

/** Returns the ids of the running processes of a group. Linux: `pid (name) state ppid pgrp …`; a name may hold anything, blanks and parentheses too. */
export function membersOf(group: number): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    const [state, , pgrp] = statOf(pid);
    return pgrp === String(group) && state !== 'Z' && state !== 'X';
  });
}

function statOf(pid: string): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Waits up to `GRACE` for a process group to end. Calls `then` with whether processes of the group are left. */
export function whenGroupGone(group: number, clock: Clock, then: (left: boolean) => void): void {
  const until = clock.now() + GRACE;
  const look = () => {
    if (!isGroupAlive(group)) then(false);
    else if (clock.now() >= until) then(true);
    else clock.after(LOOK_EVERY, look);
  };
  look();
}
