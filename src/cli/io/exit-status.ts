import { constants } from 'node:os';

const SIGNALLED = 128;

/** The status a shell shows for a process that ended so: its own, or 128 and the number of the signal. */
export function exitStatusOf(end: number | string | undefined): number {
  if (typeof end !== 'string') return end ?? 0;
  return SIGNALLED + (constants.signals[end as NodeJS.Signals] ?? 0);
}
