import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';

/** Time that requests wait for a server that is gone. */
export const OUTAGE_PATIENCE: Milliseconds = 30_000;

/**
 * Delays between attempts to reach the server: `FIRST_DELAY` doubles up to `DELAY_MAX`. `LATE_DELAY` applies after
 * `OUTAGE_PATIENCE`.
 */
const FIRST_DELAY: Milliseconds = 50;
const DELAY_MAX: Milliseconds = 400;
const LATE_DELAY: Milliseconds = 1_000;

/** A time in which the server cannot be used. Requests wait, but not for ever. */
export class Outage {
  readonly #clock: Clock;
  readonly #late: () => void;
  #attempts = 0;
  #cancel: Cancel = () => {};
  /** Functions that end the waits of attempts. */
  readonly #wakers = new Set<() => void>();
  /** Functions that end the waits of requests. */
  #patient: (() => void)[] = [];
  /** Whether there is an outage. */
  isBegun = false;
  /** Whether the server is gone for longer than requests wait. */
  isLate = false;

  /** Creates an outage that has not begun. `late`: called when requests stop waiting. */
  constructor(clock: Clock, late: () => void) {
    this.#clock = clock;
    this.#late = late;
  }

  /** Takes a failed attempt. */
  begin(): void {
    if (this.isBegun) return;
    this.isBegun = true;
    this.#cancel = this.#clock.after(OUTAGE_PATIENCE, () => {
      this.isLate = true;
      this.#late();
      for (const resolve of this.#patient.splice(0)) resolve();
    });
  }

  /** Resolves when requests stop waiting for the present or the next outage. */
  async patience(): Promise<void> {
    if (!this.isLate) await new Promise<void>((resolve) => this.#patient.push(resolve));
  }

  /** Waits before the next attempt. */
  async delay(): Promise<void> {
    await this.wait(this.isLate ? LATE_DELAY : Math.min(FIRST_DELAY * 2 ** this.#attempts++, DELAY_MAX));
  }

  /** Waits for the given time. `close` ends the wait early. */
  async wait(delay: Milliseconds): Promise<void> {
    await new Promise<void>((resolve) => {
      const cancel = this.#clock.after(delay, wake);
      const wakers = this.#wakers;
      function wake() {
        cancel();
        wakers.delete(wake);
        resolve();
      }
      wakers.add(wake);
    });
  }

  /** Takes the end of the outage. */
  end(): void {
    this.#cancel();
    this.#attempts = 0;
    this.#patient = [];
    this.isBegun = false;
    this.isLate = false;
  }

  /** Ends every wait. */
  close(): void {
    this.#cancel();
    for (const wake of this.#wakers) wake();
  }
}
