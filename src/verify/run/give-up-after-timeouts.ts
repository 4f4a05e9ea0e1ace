import type { Milliseconds } from '../../kernel/clock.ts';

/** Maximum number of consecutive failed waits. After them a session is given up. */
export const VAIN_WAITS_MAX = 3;

/** Failed waits since the last recorded message of a live server. */
export class VainWaits {
  readonly #times: Milliseconds[] = [];

  /** Counts a failed wait, and reports whether it is the last one. Messages missed at nearly one time share a wait. */
  add(now: Milliseconds, patience: Milliseconds): boolean {
    const last = this.#times.at(-1);
    if (last === undefined || now - last > patience / 2) this.#times.push(now);
    return this.#times.length >= VAIN_WAITS_MAX;
  }

  clear(): void {
    this.#times.length = 0;
  }
}
