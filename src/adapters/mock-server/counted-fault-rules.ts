import type { Counters } from '../../faults/engine/fault-injector.ts';
import { MatchCounter } from '../../faults/engine/match-counter.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { type FaultRule, rulesFor } from '../../modes/channel-faults.ts';
import { FaultRuleSets } from './fault-rule-sets.ts';

/** Fault rules of sessions in this process, which count over all of these sessions. */
export class CountedFaultRules {
  readonly #seed: number;
  readonly #sets = new FaultRuleSets();
  /** Counters of the rules by set. */
  readonly #counted: MatchCounter[][] = [];
  readonly #counters = new WeakMap<Rule, MatchCounter>();

  constructor(seed: number) {
    this.#seed = seed;
  }

  get counters(): Counters {
    return this.#counters;
  }

  /** The rules that hold now. */
  get current(): readonly Rule[] {
    return this.#sets.current;
  }

  /**
   * Replaces all rules. The new ones count from here.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  use(faults: readonly FaultRule[]): void {
    // A rule of the test may be there twice, and again later: each counts for itself.
    const rules = rulesFor(faults, 'memory').map((rule) => ({ ...rule }));
    this.#sets.add(rules);
    this.#counted.push(
      rules.map((rule, index) => {
        const counter = new MatchCounter({ rule, number: index + 1, seed: this.#seed });
        this.#counters.set(rule, counter);
        return counter;
      }),
    );
  }

  /** Forgets which rules have not fired. Those that hold now begin anew. */
  restart(): void {
    this.#sets.forget();
    this.use(this.#sets.current);
  }

  /** Returns the messages about the rules that have fired in no session. */
  get unfired(): string[] {
    return this.#sets.unfired((set, rule) => this.#counted[set - 1]![rule - 1]!.fires > 0);
  }
}
