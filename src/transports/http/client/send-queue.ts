import type { Cancel, Clock, Milliseconds } from '../../../kernel/clock.ts';

/**
 * How long what is next waits for what was before: a server may keep the head of an event stream back until its first
 * event, and an answer to a notification until it has acted on it.
 */
const HEARD_MAX: Milliseconds = 1_000;

/** How long the end of a session waits for what was asked in it. A call that it overtakes is lost, so a busy server is given longer. */
export const BEGUN_MAX: Milliseconds = 5_000;

/** Begins something, and calls back when the server has heard of it. */
export type SendTask = (heard: () => void) => void;

/**
 * Orders exchanges like the client's messages, as HTTP does not: each task starts once the server has received the one
 * before, or after the waiting limit.
 */
export class SendQueue {
  readonly #clock: Clock;
  readonly #waiting: { errand: SendTask; wait: Milliseconds }[] = [];
  #isBusy = false;
  #stop: Cancel = () => {};
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @param wait how long at most the next one waits for this one */
  add(errand: SendTask, wait: Milliseconds = HEARD_MAX): void {
    this.#waiting.push({ errand, wait });
    this.#next();
  }

  /** The same, before all others that wait. */
  addFirst(errand: SendTask, wait: Milliseconds = HEARD_MAX): void {
    this.#waiting.unshift({ errand, wait });
    this.#next();
  }

  /** Begins nothing more. */
  end(): void {
    this.#isOver = true;
    this.#stop();
  }

  #next(): void {
    while (!this.#isBusy && !this.#isOver) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      this.#isBusy = true;
      let isHeard = false;
      let isBeginning = true;
      const heard = () => {
        if (isHeard) return;
        isHeard = true;
        this.#stop();
        this.#isBusy = false;
        if (!isBeginning) this.#next();
      };
      this.#stop = this.#clock.after(next.wait, heard);
      next.errand(heard);
      isBeginning = false;
    }
  }
}
