import type { Cancel, Clock, Milliseconds } from './clock.ts';

/** A wait that ends too late by this part of it was not watched meanwhile: the process was kept from running. */
const LATE_SHARE = 0.25;
/** So often a wait begins anew. */
const EXTENSIONS_MAX = 3;

/**
 * Runs `task` when `limit` has passed, as a limit to how long somebody waits. Where this process was kept from running
 * meanwhile, what it waits for may have come and not been read: the wait begins anew, three times at most.
 */
export function afterPatience(clock: Pick<Clock, 'now' | 'after'>, limit: Milliseconds, task: () => void): Cancel {
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
