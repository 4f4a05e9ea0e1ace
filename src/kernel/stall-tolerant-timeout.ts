import type { Cancel, Clock, Milliseconds } from './clock.ts';

/**
 * Share of the limit by which a timer may fire late. A later timer means that the process was suspended or starved of
 * CPU.
 */
const LATE_SHARE = 0.25;
/** Maximum number of restarts of one wait. */
const EXTENSIONS_MAX = 3;

/**
 * Runs `task` after `limit`, as a timeout. A timer that fires late means that this process was suspended or starved:
 * the awaited event may have arrived unread. The wait then restarts, at most three times.
 */
export function stallTolerantTimeout(
  clock: Pick<Clock, 'now' | 'after'>,
  limit: Milliseconds,
  task: () => void,
): Cancel {
  let stop = () => {};
  const wait = (extensions: number) => {
    const due = clock.now() + limit;
    stop = clock.after(limit, () => {
      if (extensions > 0 && clock.now() - due > limit * LATE_SHARE) wait(extensions - 1);
      else task();
    });
  };
  wait(EXTENSIONS_MAX);
  return () => stop();
}
