import { constants } from 'node:os';

const SIGNALLED = 128;

/** Returns the status as a shell shows it: the process's own, or 128 plus the number of the signal. */
export function childExitStatus(end: number | string | undefined): number {
  if (typeof end !== 'string') return end ?? 0;
  return SIGNALLED + (constants.signals[end as NodeJS.Signals] ?? 0);
}
