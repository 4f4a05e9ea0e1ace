import type { Milliseconds } from '../kernel/clock.ts';

/** Maximum number of consecutive crashes before the program stops restarting the server. */
export const CRASHES_MAX = 6;

/**
 * Delay before the second restart in a row. The first restart follows at once. Each later delay is twice the one
 * before.
 */
const FIRST_DELAY: Milliseconds = 100;

/** Uptime after which a server counts as working, even without a request. */
const STEADY: Milliseconds = 10_000;

/** Delays between restarts of a crashing server. After too many consecutive crashes, there is no further restart. */
export class RestartDelays {
  #crashes = 0;

  /**
   * Counts a crash. `lived`: how long the server ran. Returns the delay before the next start. Undefined: too many
   * crashes.
   */
  crashed(lived: Milliseconds): Milliseconds | undefined {
    if (lived >= STEADY) this.reset();
    const before = this.#crashes++;
    if (this.#crashes >= CRASHES_MAX) return undefined;
    return before === 0 ? 0 : FIRST_DELAY * 2 ** (before - 1);
  }

  /** Resets the count of crashes, because the server works or its files changed. */
  reset(): void {
    this.#crashes = 0;
  }
}
