import { childExitStatus } from './child-exit-status.ts';
import { whenNpxIsGone } from './end-with-npx.ts';
import { fail } from './output.ts';

/** Signals that end a command. SIGBREAK is Ctrl+Break on Windows. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/**
 * Resolves at the first signal to stop. Further signals are ignored, so that the shutdown completes. Called before the
 * command announces itself, because its reader may send a signal at once.
 */
export function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => onSignal(() => resolve(undefined)));
}

/** Calls `task` at each signal to stop, and when npx, which has started this process, is gone. */
function onSignal(task: (signal: NodeJS.Signals) => void): void {
  for (const signal of SIGNALS) process.on(signal, () => task(signal));
  whenNpxIsGone(() => task('SIGTERM'));
}

/** Runs `task` at the first signal to stop, and then exits with the shell's status for the signal. A second signal exits at once. */
export function endBySignal(task: (signal: NodeJS.Signals) => void | Promise<void>): void {
  let isEnding = false;
  const end = async (signal: NodeJS.Signals) => {
    if (isEnding) process.exit(childExitStatus(signal));
    isEnding = true;
    try {
      await task(signal);
    } catch (error) {
      fail(error);
    }
    process.exit(childExitStatus(signal));
  };
  onSignal((signal) => void end(signal));
}

/** A command's work that a signal ends. */
export interface Interruption {
  /** Aborted at the first signal to stop. A second signal exits at once. */
  aborted: AbortSignal;
  /** The signal. Undefined: there was none so far. */
  by(): NodeJS.Signals | undefined;
}

/** Watches for signals to stop, for a command that reports what it knows by then, and exits with `childExitStatus` of the signal. */
export function interruption(): Interruption {
  const controller = new AbortController();
  let by: NodeJS.Signals | undefined;
  onSignal((signal) => {
    if (by !== undefined) process.exit(childExitStatus(signal));
    by = signal;
    controller.abort();
  });
  return { aborted: controller.signal, by: () => by };
}
