import type { Cancel, Clock, Milliseconds } from '../../kernel/clock.ts';

interface Wait {
  due: Milliseconds;
  task(): void;
  cancel: Cancel;
}

/** Clock that can stand still, so that no limit of a run passes while a person thinks. */
export class PausableClock implements Clock {
  readonly #clock: Clock;
  readonly #waits = new Set<Wait>();
  /** Total duration of the past pauses. */
  #lost: Milliseconds = 0;
  #pausedAt: Milliseconds | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  now(): Milliseconds {
    return (this.#pausedAt ?? this.#clock.now()) - this.#lost;
  }

  date(): Date {
    return this.#clock.date();
  }

  after(delay: Milliseconds, task: () => void): Cancel {
    const wait: Wait = { due: this.now() + delay, task, cancel: () => {} };
    this.#waits.add(wait);
    if (this.#pausedAt === undefined) this.#arm(wait);
    return () => {
      wait.cancel();
      this.#waits.delete(wait);
    };
  }

  endOfTurn(task: () => void): void {
    this.#clock.endOfTurn(task);
  }

  /** Stops the time. */
  pause(): void {
    if (this.#pausedAt !== undefined) return;
    this.#pausedAt = this.#clock.now();
    for (const { cancel } of this.#waits) cancel();
  }

  /** Continues where the time stopped. */
  resume(): void {
    if (this.#pausedAt === undefined) return;
    this.#lost += this.#clock.now() - this.#pausedAt;
    this.#pausedAt = undefined;
    for (const wait of this.#waits) this.#arm(wait);
  }

  #arm(wait: Wait): void {
    wait.cancel = this.#clock.after(Math.max(0, wait.due - this.now()), () => {
      this.#waits.delete(wait);
      wait.task();
    });
  }
}
