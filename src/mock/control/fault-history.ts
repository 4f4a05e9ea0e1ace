import type { Fired } from '../../faults/engine/fault-injector.ts';
import { unfiredText } from '../../faults/engine/switchable-fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';

/** Rules, with what their chance draws from. */
export interface SeededRules {
  readonly rules: readonly Rule[];
  readonly seed: number;
}

export interface FaultHistoryOptions {
  /** The rules that it begins with, and begins with again after a reset. */
  initial: SeededRules;
  /** Those have to fire, too. Rules that came later always have to. */
  isInitialRequired: boolean;
}

/** The rules that a mock server has had since it began anew, and which of them have fired. */
export class FaultHistory {
  readonly #options: FaultHistoryOptions;
  #now: SeededRules;
  #sets: (readonly Rule[])[] = [];
  #fired: { one: Fired; rules: readonly Rule[] }[] = [];

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

  /** The faults that have happened, in order. */
  get fired(): Fired[] {
    return this.#fired.map(({ one }) => one);
  }

  /** Notes that rules hold in place of those before. */
  use(now: SeededRules): void {
    this.#now = now;
    this.#sets.push(now.rules);
  }

  readonly noteFired = (one: Fired, rules: readonly Rule[]): void => void this.#fired.push({ one, rules });

  /** Which rules should have fired, and have not, in words. */
  readonly unfired = (): string[] =>
    this.#sets.flatMap((rules) =>
      rules.flatMap((_, index) => (this.#hasFired(rules, index + 1) ? [] : [unfiredText(rules, index + 1)])),
    );

  /** Begins anew, with the rules of the beginning. */
  restart(): void {
    const { initial, isInitialRequired } = this.#options;
    this.#now = initial;
    this.#sets = isInitialRequired ? [initial.rules] : [];
    this.#fired = [];
  }

  #hasFired(rules: readonly Rule[], number: number): boolean {
    return this.#fired.some((fired) => fired.rules === rules && fired.one.rule === number);
  }
}
