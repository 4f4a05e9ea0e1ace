import { unfiredText } from '../../faults/engine/switchable-fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';

/** The sets of fault rules that one mock server has had, one after the other. Sets and rules are numbered from 1. */
export class FaultRuleSets {
  readonly #sets: (readonly Rule[])[] = [];
  /** How many sets were replaced before the last reset. */
  #forgotten = 0;

  /** The rules that hold now. */
  get current(): readonly Rule[] {
    return this.#sets.at(-1) ?? [];
  }

  /** Adds rules that hold from now on, and returns the number of their set. */
  add(rules: readonly Rule[]): number {
    return this.#sets.push(rules);
  }

  /** Leaves all sets until now out of `unfired`. */
  forget(): void {
    this.#forgotten = this.#sets.length;
  }

  /** Returns the messages about the rules that have not fired. */
  unfired(hasFired: (set: number, rule: number) => boolean): string[] {
    return this.#sets.flatMap((rules, n) =>
      n < this.#forgotten
        ? []
        : rules.flatMap((_, index) => (hasFired(n + 1, index + 1) ? [] : [unfiredText(rules, index + 1)])),
    );
  }
}
