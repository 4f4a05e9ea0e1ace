import type { Counters } from '../../faults/engine/fault-injector.ts';
import { MatchCounter } from '../../faults/engine/match-counter.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import type { UsesMethod } from '../../faults/rules/unknown-rule-method.ts';
import { type FaultRule, parseMockServerFaults } from '../../modes/faulty-channel.ts';
import { FaultRuleHistory } from './fault-rule-history.ts';

/** Fault rules that count matches across all sessions in this process. */
export class CountedFaultRules {
  readonly #seed: number;
  readonly #sets = new FaultRuleHistory();
  /** Match counters of each rule, by rule set. */
  readonly #counted: MatchCounter[][] = [];
  readonly #counters = new WeakMap<Rule, MatchCounter>();

  readonly #usesMethod: UsesMethod;

  /** `usesMethod` reports whether the peers use a method that MCP does not have. */
  constructor(seed: number, usesMethod: UsesMethod) {
    this.#seed = seed;
    this.#usesMethod = usesMethod;
  }

  get counters(): Counters {
    return this.#counters;
  }

  /** Rules in effect. */
  get current(): readonly Rule[] {
    return this.#sets.current;
  }

  /**
   * Replaces all rules. The new rules count from now on.
   * @throws McpRecordError FAULT_UNKNOWN, FAULT_BAD_RULE, FAULT_NO_MEANING
   */
  use(faults: readonly FaultRule[]): void {
    // Copied, because a test may use one rule object several times, and each use has its own counter.
    const rules = parseMockServerFaults(faults, 'stdio', this.#usesMethod).map((rule) => ({ ...rule }));
    this.#sets.add(rules);
    this.#counted.push(
      rules.map((rule, index) => {
        const counter = new MatchCounter({ rule, number: index + 1, seed: this.#seed });
        this.#counters.set(rule, counter);
        return counter;
      }),
    );
  }

  /** Forgets earlier unfired rules, and restarts the current rules. */
  restart(): void {
    this.#sets.forget();
    this.use(this.#sets.current);
  }

  /** Sentences about rules that fired in no session. */
  get unfired(): string[] {
    const counter = (set: number, rule: number) => this.#counted[set - 1]![rule - 1]!;
    return this.#sets.unfired(
      (set, rule) => counter(set, rule).happened > 0,
      (set, rule) => counter(set, rule).unchanged,
    );
  }
}
