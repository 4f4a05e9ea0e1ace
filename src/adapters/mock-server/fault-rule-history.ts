import { unfiredText } from '../../faults/engine/unfired-rule.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';

/** The successive fault rule sets of a mock server. Sets and rules are numbered from 1. */
export class FaultRuleHistory {
  readonly #sets: (readonly Rule[])[] = [];
  /** Number of sets replaced before the last reset. */
  #forgotten = 0;

  /** Rules in effect. */
  get current(): readonly Rule[] {
    return this.#sets.at(-1) ?? [];
  }

  /** Adds the rules in effect from now on. Returns the number of their set. */
  add(rules: readonly Rule[]): number {
    return this.#sets.push(rules);
  }

  /** Excludes all earlier sets from `unfired`. */
  forget(): void {
    this.#forgotten = this.#sets.length;
  }

  /** Returns one sentence per unfired rule. `why` returns the reason, if there is one. */
  unfired(
    hasFired: (set: number, rule: number) => boolean,
    why: (set: number, rule: number) => string | undefined,
  ): string[] {
    return this.#sets.flatMap((rules, n) =>
      n < this.#forgotten
        ? []
        : rules.flatMap((_, index) => {
            const rule = index + 1;
            return hasFired(n + 1, rule) ? [] : [unfiredText(rules, { rule, why: why(n + 1, rule) })];
          }),
    );
  }
}
