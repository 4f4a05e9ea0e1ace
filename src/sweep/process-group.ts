import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Whether a process of the group runs. Zombies do not count. */
export function isGroupAlive(group: number): boolean {
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

/** Linux: `pid (name) state ppid pgrp …`; a name may hold anything, blanks and parentheses too. */
function membersOf(group: number): string[] {
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
