import type { Clock, Milliseconds } from '../../kernel/clock.ts';

/** How long a search may take. */
export type BudgetLimit = { time: Milliseconds } | { runs: number };

/** The runs and the time of a search. */
export class ShrinkBudget {
  readonly #limit: BudgetLimit;
  readonly #clock: Clock;
  readonly #began: Milliseconds;
  /** Number of runs of the program under test. */
  runs = 0;

  constructor(limit: BudgetLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#began = clock.now();
  }

  /** Reports whether no further run may begin. */
  isSpent(): boolean {
    const limit = this.#limit;
    return 'runs' in limit ? this.runs >= limit.runs : this.#clock.now() - this.#began >= limit.time;
  }
}
