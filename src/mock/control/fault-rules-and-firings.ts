import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import { unfiredText } from '../../faults/engine/unfired-rule.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';

/** Fault rules, with the seed of their randomness. */
export interface SeededRules {
  readonly rules: readonly Rule[];
  readonly seed: number;
}

export interface FaultHistoryOptions {
  /** Rules at the start and after each reset. */
  initial: SeededRules;
  /** The initial rules have to fire. Rules set later always have to fire. */
  isInitialRequired: boolean;
}

/** The fault rules of a mock server since its last restart, with the faults that have fired. */
export class FaultHistory {
  readonly #options: FaultHistoryOptions;
  #now: SeededRules;
  #sets: (readonly Rule[])[] = [];
  #fired: { one: Fired; rules: readonly Rule[] }[] = [];
  #unchanged: { one: Unchanged; rules: readonly Rule[] }[] = [];

  constructor(options: FaultHistoryOptions) {
    this.#options = options;
    this.#now = options.initial;
    this.restart();
  }

  get now(): SeededRules {
    return this.#now;
  }

  get initial(): SeededRules {
    return this.#options.initial;
  }

  /** Fired faults, in order. */
  get fired(): Fired[] {
    return this.#fired.map(({ one }) => one);
  }

  /** Replaces the current rules. */
  use(now: SeededRules): void {
    this.#now = now;
    this.#sets.push(now.rules);
  }

  readonly noteFired = (one: Fired, rules: readonly Rule[]): void => void this.#fired.push({ one, rules });

  readonly noteUnchanged = (one: Unchanged, rules: readonly Rule[]): void => void this.#unchanged.push({ one, rules });

  /** Returns a sentence for each required rule that has not fired. */
  readonly unfired = (): string[] =>
    this.#sets.flatMap((rules) =>
      rules.flatMap((_, index) => {
        const rule = index + 1;
        const isOfRule = (noted: { one: Fired; rules: readonly Rule[] }) =>
          noted.rules === rules && noted.one.rule === rule;
        if (this.#fired.some(isOfRule)) return [];
        return [unfiredText(rules, { rule, why: this.#unchanged.find(isOfRule)?.one.unchanged })];
      }),
    );

  /** Restarts with the initial rules. */
  restart(): void {
    const { initial, isInitialRequired } = this.#options;
    this.#now = initial;
    this.#sets = isInitialRequired ? [initial.rules] : [];
    this.#fired = [];
    this.#unchanged = [];
  }
}
