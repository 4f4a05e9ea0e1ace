import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { unguessable } from '../../kernel/random.ts';

/** Grace period in which a process notices the loss of its peer and ends. */
export const LEFTOVER_GRACE: Milliseconds = 2_000;
const LOOK_EVERY: Milliseconds = 20;
/** Maximum length of a command line in messages. */
const COMMAND_LENGTH_MAX = 120;
/** Environment variable with the marks of a run, and of the runs around it, separated by commas. */
const RUN_VARIABLE = 'MCP_RECORD_RUN';

/**
 * Processes that outlived a program, each with its id and the start of its command line: `process 7 (node server.js)`.
 * Empty: the system has no `/proc` that names them. Undefined: there are none.
 */
export type LeftProcesses = readonly string[] | undefined;

/** Describes left processes after the words "it left". */
export function leftText([first = 'processes', ...more]: readonly string[]): string {
  return `${first}${more.length > 0 ? ` and ${more.length} more` : ''}`;
}

export interface LeftoversOptions {
  /** Environment for the program. */
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Whether processes outside of the program's group count, too. They are found by a mark in their environment. */
  isMarked: boolean;
}

/**
 * Finds the processes of a run after the program, a process group leader, has ended: members of the group and, with
 * `isMarked`, processes that left the group. Zombies do not count. Without `/proc`, only the group is visible.
 */
export class Leftovers {
  /** Environment to start the program with. */
  readonly env: NodeJS.ProcessEnv;
  readonly #clock: Clock;
  readonly #mark: string | undefined;

  constructor({ env, clock, isMarked }: LeftoversOptions) {
    this.#clock = clock;
    this.#mark = isMarked ? unguessable() : undefined;
    const outer = env[RUN_VARIABLE] ? `${env[RUN_VARIABLE]},` : '';
    this.env = isMarked ? { ...env, [RUN_VARIABLE]: `${outer}${this.#mark}` } : env;
  }

  /** Waits up to `LEFTOVER_GRACE` for all processes to end. Calls `then` with the remaining processes. */
  whenGone(group: number, then: (left: LeftProcesses) => void): void {
    const until = this.#clock.now() + LEFTOVER_GRACE;
    let marked: readonly string[] = [];
    const isAnyLeft = () => {
      if (isGroupAlive(group)) return true;
      // Scanning all environments is expensive, so that scan runs only when no remaining process is known.
      marked = marked.filter((pid) => this.#hasMark(pid));
      if (marked.length === 0) marked = this.#markedProcesses();
      return marked.length > 0;
    };
    const look = () => {
      if (!isAnyLeft()) then(undefined);
      else if (this.#clock.now() >= until) then(this.left(group));
      else this.#clock.after(LOOK_EVERY, look);
    };
    look();
  }

  /** Returns the processes that run now. */
  left(group: number): LeftProcesses {
    if (!hasProc()) return isGroupAlive(group) ? [] : undefined;
    const pids = new Set([...membersOf(group), ...this.#markedProcesses()]);
    return pids.size > 0 ? [...pids].map((pid) => `process ${pid}${commandOf(pid)}`) : undefined;
  }

  /** Ends all processes. */
  end(group: number): void {
    signal(-group, 'SIGKILL');
    for (const pid of this.#markedProcesses()) signal(Number(pid), 'SIGKILL');
  }

  #markedProcesses(): string[] {
    return this.#mark !== undefined && hasProc() ? allProcesses().filter((pid) => this.#hasMark(pid)) : [];
  }

  /** Reports whether a process of the same user has the mark. The environment of a zombie is empty. */
  #hasMark(pid: string): boolean {
    if (this.#mark === undefined) return false;
    try {
      const isOwn = statSync(`/proc/${pid}`).uid === process.geteuid?.();
      return isOwn && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(this.#mark);
    } catch {
      return false;
    }
  }
}

/** Reports whether the group has a running process. */
function isGroupAlive(group: number): boolean {
  if (!signal(-group, 0)) return false;
  return hasProc() ? membersOf(group).length > 0 : true;
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function hasProc(): boolean {
  return existsSync('/proc/self/stat');
}

function allProcesses(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name));
}

/** Returns the ids of the running processes of a group. Linux: `pid (name) state ppid pgrp …`; a name may hold anything, blanks and parentheses too. */
function membersOf(group: number): string[] {
  return allProcesses().filter((pid) => {
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

function commandOf(pid: string): string {
  try {
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').join(' ').trim();
    const shown = words.length > COMMAND_LENGTH_MAX ? `${words.slice(0, COMMAND_LENGTH_MAX)}…` : words;
    return words === '' ? '' : ` (${shown})`;
  } catch {
    return '';
  }
}
