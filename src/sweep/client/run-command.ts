import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { cannotStart } from '../../transports/stdio/child-process.ts';
import { killGroupOnExit } from '../../transports/stdio/kill-group-on-exit.ts';
import { LEFTOVER_GRACE, Leftovers, type LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { endProcessTree, spawnCall } from '../../transports/stdio/windows-process.ts';
import type { Ran } from './verdict.ts';

export interface RunOptions {
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  deadline: Milliseconds;
  clock: Clock;
  /** Whether processes that leave its process group are found and ended, too. */
  isMarked?: boolean;
}

/** Exit status and duration of a command. */
export interface Ended extends Pick<Ran, 'status' | 'signal' | 'stderr' | 'timedOut' | 'left'> {
  duration: Milliseconds;
}

const POSIX = process.platform !== 'win32';
/** Maximum time for reading standard error after the exit. */
const GRACE: Milliseconds = 2_000;
/** Maximum time of a run after the end of its command: for the processes that it left, and for its standard error. */
export const AFTER_END_MAX: Milliseconds = LEFTOVER_GRACE + GRACE;
const STDERR_LENGTH = 4_000;
const NEXT = 'Give it as it is started in a terminal, after --.';

/**
 * Runs a command in a separate process group until its exit or deadline. Kills the remaining processes of the group,
 * even if this process is killed earlier. Windows has no process groups: the deadline ends the command with its child
 * processes, and processes left after a regular exit stay unknown.
 * @throws McpRecordError COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export function runCommand({ command, env, deadline, clock, isMarked = false }: RunOptions): Promise<Ended> {
  const [program = ''] = command;
  const began = clock.now();
  return new Promise((resolve, reject) => {
    const cannot = (error: Error) => reject(cannotStart(program, error, NEXT));
    const processes = new Leftovers({ env, clock, isMarked });
    const child = attemptStart(command, processes.env, cannot);
    if (child === undefined) return;
    const group = child.pid;
    if (group === undefined) return child.once('error', cannot);
    const callOff = POSIX ? killGroupOnExit(group) : () => {};
    const endAll = () => (POSIX ? processes.end(group) : endProcessTree(child));
    let stderr = '';
    let timedOut = false;
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_LENGTH);
    });
    const stop = clock.after(deadline, () => {
      timedOut = true;
      endAll();
    });
    let isClosed = false;
    child.once('close', () => {
      isClosed = true;
    });
    child.once('exit', (status, signal) => {
      stop();
      const duration = clock.now() - began;
      const end = (left: LeftProcesses) => {
        if (left) endAll();
        callOff();
        const ended = {
          status: status ?? undefined,
          signal: signal ?? undefined,
          timedOut,
          left,
          duration,
        };
        const done = () => resolve({ ...ended, stderr });
        // Output may arrive after the exit. A process outside the group may hold the pipe open forever, so the wait is
        // limited.
        if (isClosed) return done();
        const giveUp = clock.after(GRACE, () => {
          child.stderr?.destroy();
          done();
        });
        child.once('close', () => {
          giveUp();
          done();
        });
      };
      if (timedOut || !POSIX) end(undefined);
      else processes.whenGone(group, end);
    });
  });
}

/** Starts a command. Reports some failures to `cannot`, others by the event `error` of a process without an id. */
function attemptStart(
  [program = '', ...args]: readonly string[],
  env: NodeJS.ProcessEnv,
  cannot: (error: Error) => void,
): ChildProcess | undefined {
  try {
    const stdio: StdioOptions = ['ignore', 'ignore', 'pipe'];
    const call = spawnCall({ program, args, options: { env, detached: POSIX, windowsHide: true, stdio } });
    return spawn(call.program, call.args, call.options);
  } catch (error) {
    cannot(error as Error);
    return undefined;
  }
}
