import { childExitStatus } from './child-exit-status.ts';
import { whenNpxIsGone } from './npx-parent.ts';

/** SIGBREAK: Ctrl+Break of Windows. No other system has it. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'] as const;

/**
 * Resolves once we are told to stop; told again, we go on stopping, so that what is being finished is. To be called before we
 * say that we are there: who reads that may stop us at once.
 */
export function untilSignal(): Promise<undefined> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.on(signal, () => resolve(undefined));
    whenNpxIsGone(() => resolve(undefined));
  });
}

/** Once we are told to stop: runs `task`, and ends this process with the status that a shell has for the signal. */
export function endBySignal(task: () => void): void {
  const end = (signal: NodeJS.Signals) => {
    task();
    process.exit(childExitStatus(signal));
  };
  for (const signal of SIGNALS) process.on(signal, () => end(signal));
  whenNpxIsGone(() => end('SIGTERM'));
}
