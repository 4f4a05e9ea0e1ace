import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import type { Channel } from '../../channel/channel.ts';
import type { OutputStream, WireFrame } from '../../channel/frame.ts';
import { asMicrotask, type Clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { killGroupOnExit } from './kill-group-on-exit.ts';
import type { Leftovers, LeftProcesses } from './leftover-processes.ts';
import { ignoreErrors, whenDrained, writeTo } from './nonblocking-output.ts';
import { endProcessTree, spawnCall } from './windows-process.ts';

const POSIX = process.platform !== 'win32';

export interface ChildOptions {
  /** Program and arguments. No shell interprets them. */
  command: readonly string[];
  clock: Clock;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Called when the process has started. It may still fail immediately. */
  started?(): void;
  /** Called when the process exits. Its child processes may still hold its output open. */
  exited?(): void;
  /** Waits 2 s after the exit for the other processes, before they are killed. Absent: those of the group are killed at once. */
  processes?: Leftovers;
  /** Called if processes outlived it, or hold its output. Needs `processes`. */
  outlived?(left: NonNullable<LeftProcesses>): void;
  /** Called asynchronously, in place of any frame, if the program cannot be started. */
  failed(error: McpRecordError): void;
}

/** Channel returned if the process could not be started. */
const NO_PROCESS: Channel = { listen() {}, send: () => true, drained() {}, pause() {}, resume() {} };

/**
 * Starts a server process and returns the channel to it. The server leads a process group: signals go to the whole
 * group, and the group is killed when the server or this process ends. `exit` is the last frame. Windows has neither
 * groups nor signals: each signal ends the server and all its child processes.
 */
export function startChild(options: ChildOptions): Channel {
  const { command, clock, started, exited, processes, outlived, failed } = options;
  const [program = ''] = command;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawnServer(options);
  } catch (error) {
    // Deferred, so that callers never receive `failed` before this function returns.
    asMicrotask(() => failed(cannotStart(program, error as Error)));
    return NO_PROCESS;
  }
  if (started) child.once('spawn', started);
  if (exited) child.once('exit', () => exited());
  child.on('error', (error) => failed(cannotStart(program, error)));
  ignoreErrors(child.stdin);
  const sources: Record<OutputStream, Readable> = { protocol: child.stdout, stderr: child.stderr };
  const callOff = POSIX && child.pid !== undefined ? killGroupOnExit(child.pid) : () => {};
  /** Last signal that was sent. */
  let signalled: string | undefined;
  /**
   * Reports whether the process has ended after a signal. Its pipes then hold little data, and nobody needs to read it.
   */
  const isOver = () => signalled !== undefined && hasExited(child);
  let isAwaitingOthers = false;

  return {
    listen(receive) {
      const from = 'server';
      for (const on of ['protocol', 'stderr'] as const) {
        sources[on].on('data', (data: Buffer) => receive({ kind: 'bytes', at: clock.now(), from, on, data }));
      }
      child.stdout.once('end', () => {
        if (child.pid !== undefined) receive({ kind: 'close', at: clock.now(), from });
      });
      child.once('close', (code, signal) => {
        if (child.pid === undefined) return;
        const { pid } = child;
        const end = (left?: LeftProcesses) => {
          if (left) outlived?.(left);
          callOff();
          killGroup(child, 'SIGKILL');
          if (left || signalled !== undefined) processes?.end(pid);
          const killed = signal ?? (POSIX ? undefined : signalled);
          receive({ kind: 'exit', at: clock.now(), from, status: killed ?? code ?? 0 });
        };
        isAwaitingOthers = POSIX && processes !== undefined && signalled === undefined;
        if (isAwaitingOthers) processes?.whenGone(pid, end);
        else end();
      });
    },
    send(frame: WireFrame) {
      if (frame.kind === 'bytes') return writeTo(child.stdin, frame.data);
      if (frame.kind === 'close') child.stdin.end();
      if (frame.kind === 'signal' && !isAwaitingOthers) {
        if (processes && child.pid !== undefined && hasExited(child)) {
          // Others hold its output.
          if (signalled === undefined) outlived?.(processes.left(child.pid) ?? []);
          processes.end(child.pid);
        }
        signalled = frame.signal;
        killGroup(child, frame.signal as NodeJS.Signals);
        // Resumes the pipes, so that Node can drain those of an ending process.
        if (isOver()) for (const source of Object.values(sources)) source.resume();
      }
      return true;
    },
    drained: (_stream, resume) => whenDrained(child.stdin, resume),
    pause: (stream) => void (isOver() || sources[stream].pause()),
    resume: (stream) => void sources[stream].resume(),
  };
}

function hasExited({ exitCode, signalCode }: ChildProcess): boolean {
  return (exitCode ?? signalCode) !== null;
}

/** Spawns the server. Throws what Node throws; later errors arrive as events. */
function spawnServer({
  command: [program = '', ...args],
  processes,
  env = processes?.env,
  cwd,
}: ChildOptions): ChildProcessWithoutNullStreams {
  const options = {
    stdio: 'pipe' as const,
    detached: POSIX,
    windowsHide: true,
    ...(env && { env }),
    ...(cwd !== undefined && { cwd }),
  };
  const call = spawnCall({ program, args, options });
  return spawn(call.program, call.args, call.options);
}

function killGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  if (!POSIX) return endProcessTree(child);
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group has no process.
  }
}

const AS_A_SERVER =
  'Give the server as it is started in a terminal: on a command line after --, in a test as { command, args }.';

/**
 * Returns the error for a program that failed to start. Like shells, it distinguishes missing programs from those
 * without permission.
 */
export function cannotStart(program: string, error: Error, next: string = AS_A_SERVER): McpRecordError {
  const { code } = error as NodeJS.ErrnoException;
  const found = code !== 'ENOENT';
  return new McpRecordError({
    code: found ? 'COMMAND_NOT_EXECUTABLE' : 'COMMAND_NOT_FOUND',
    what: `Cannot start ${program}`,
    why: found ? error.message : 'there is no such program on the PATH, or the working directory is gone',
    next,
    cause: error,
  });
}
