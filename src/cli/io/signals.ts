import { childExitStatus } from './child-exit-status.ts';
import { whenNpxIsGone } from './npx-parent.ts';

/** Signals that end a command. SIGBREAK is Ctrl+Break on Windows. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/**
 * Resolves at the first signal to stop. Further signals are ignored, so that the shutdown completes. Called before the
 * command announces itself, because its reader may send a signal at once.
 */
export function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(undefined));
    whenNpxIsGone(() => resolve(undefined));
  });
}

/** Runs `task` at a signal to stop, and exits with the shell's status for the signal. */
export function endBySignal(task: () => void): void {
  const end = (signal: NodeJS.Signals) => {
    task();
    process.exit(childExitStatus(signal));
  };
  for (const signal of SIGNALS) process.on(signal, () => end(signal));
  whenNpxIsGone(() => end('SIGTERM'));
}
