import type { Milliseconds } from '../kernel/clock.ts';

/** Number of crashes in a row after which a server is given up. */
export const CRASHES_MAX = 6;

/** Wait before the second start after a crash. The first one follows at once, and each later one after twice the time. */
const FIRST_DELAY: Milliseconds = 100;

/** Duration after which a server counts as one that works, even if nobody has asked it anything. */
const STEADY: Milliseconds = 10_000;

/** Waits between the starts of a server that crashes, which end when it has crashed too often in a row. */
export class RestartDelays {
  #crashes = 0;

  /** Counts a crash of a server that has run for a time. Returns the wait before the next start. Undefined: there were too many. */
  crashed(lived: Milliseconds): Milliseconds | undefined {
    if (lived >= STEADY) this.reset();
    const before = this.#crashes++;
    if (this.#crashes >= CRASHES_MAX) return undefined;
    return before === 0 ? 0 : FIRST_DELAY * 2 ** (before - 1);
  }

  /** Takes a sign that the server works, or is another one: the count begins anew. */
  reset(): void {
    this.#crashes = 0;
  }
}
