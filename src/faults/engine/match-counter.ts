import { type Random, seededRandom } from '../../kernel/random.ts';
import type { Rule } from '../rules/fault-rule.ts';

export interface MatchCounterOptions {
  rule: Rule;
  /** Position of the rule, from 1. */
  number: number;
  /** Seed of the rule's probability. */
  seed: number;
  /** Returns the number of the next match, from 1, where matches are counted elsewhere, too. Absent: they are counted here alone. */
  nextMatch?(): number;
}

/** Counts the matches of a rule, and decides by `nth`, `times` and `probability` which of them fire. */
export class MatchCounter {
  fires = 0;
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
    // Each rule draws from two sequences of its own, so that one more rule never shifts another.
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
    // What was decided elsewhere about the matches before depends on nothing but their numbers.
    while (this.#matches < match - 1) this.#decide();
    return this.#decide();
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
