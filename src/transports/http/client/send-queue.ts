import type { Cancel, Clock, Milliseconds } from '../../../kernel/clock.ts';

/**
 * Maximum wait of a task for the previous one. A server may delay an event stream's head until the first event, and the
 * response to a notification until its processing ends.
 */
const HEARD_MAX: Milliseconds = 1_000;

/** Maximum wait of the session's end for open requests. An overtaken call is lost, so a busy server gets more time. */
export const BEGUN_MAX: Milliseconds = 5_000;

/** Task that sends a request, and calls `heard` when the server has received it. */
export type SendTask = (heard: () => void) => void;

/**
 * Queue that orders exchanges like the client's messages, as HTTP itself does not. Each task starts when the server has
 * received the previous one, or after the waiting limit.
 */
export class SendQueue {
  readonly #clock: Clock;
  readonly #waiting: { task: SendTask; wait: Milliseconds }[] = [];
  #isBusy = false;
  #stop: Cancel = () => {};
  #isOver = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Adds a task.
   * @param wait maximum wait of the next task for this one
   */
  add(task: SendTask, wait: Milliseconds = HEARD_MAX): void {
    this.#waiting.push({ task, wait });
    this.#next();
  }

  /** Adds a task before all waiting tasks. */
  addFirst(task: SendTask, wait: Milliseconds = HEARD_MAX): void {
    this.#waiting.unshift({ task, wait });
    this.#next();
  }

  /** Stops the queue. Waiting tasks never run. */
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
      next.task(heard);
      isBeginning = false;
    }
  }
}
