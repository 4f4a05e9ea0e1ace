import { type Random, seededRandom } from '../../kernel/random.ts';
import type { Rule } from '../rules/fault-rule.ts';

export interface MatchCounterOptions {
  rule: Rule;
  /** Position of the rule, from 1. */
  number: number;
  /** Seed of the rule's probability. */
  seed: number;
  /**
   * Returns the number of the next match, from 1, if other counters share the count. Absent: this counter counts alone.
   */
  nextMatch?(): number;
}

/** Counts the matches of a rule. `nth`, `times` and `probability` decide which matches fire. */
export class MatchCounter {
  /** Number of matches at which the rule tried to fire. */
  fires = 0;
  /** Number of times that the fault changed something. */
  happened = 0;
  /** Reason from the first time that the fault changed nothing. */
  unchanged: string | undefined;
  #matches = 0;
  readonly #nth: number | undefined;
  readonly #timesMax: number;
  readonly #probability: number;
  readonly #random: Random;
  readonly #nextMatch: () => number;

  constructor({ rule, number, seed, nextMatch }: MatchCounterOptions) {
    this.#nth = rule.when?.nth ?? rule.fault.kind.when?.nth;
    this.#timesMax = rule.times ?? Number.POSITIVE_INFINITY;
    this.#probability = rule.probability ?? 1;
    // Each rule draws from two separate sequences, so adding a rule never shifts another rule's choices.
    this.#random = seededRandom(seed, 2 * number - 2);
    const isCounted = this.#nth !== undefined || rule.times !== undefined || this.#probability < 1;
    this.#nextMatch = isCounted && nextMatch ? nextMatch : () => this.#matches + 1;
  }

  /** Whether no later match fires. */
  get isSpent(): boolean {
    return this.fires >= this.#timesMax || (this.#nth !== undefined && this.#matches >= this.#nth);
  }

  /** Counts a match, and returns whether the rule fires on it. */
  count(): boolean {
    if (this.isSpent) return false;
    const match = this.#nextMatch();
    // Earlier matches that other counters decided depend on their numbers only, so they are replayed here.
    while (this.#matches < match - 1) this.#decide();
    return this.#decide();
  }

  /** Takes the last firing back: the fault changed nothing. Its match stays counted, for `nth`. */
  takeBack(why: string): void {
    this.fires--;
    this.unchanged ??= why;
  }

  #decide(): boolean {
    this.#matches++;
    if (this.#nth !== undefined && this.#matches !== this.#nth) return false;
    if (this.fires >= this.#timesMax) return false;
    if (this.#random() >= this.#probability) return false;
    this.fires++;
    return true;
  }
}
