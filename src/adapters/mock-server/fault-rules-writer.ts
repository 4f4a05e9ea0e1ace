import { renameSync, writeFileSync } from 'node:fs';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import { unfiredText } from '../../faults/engine/switchable-fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { serializeRule } from './serialize-rule.ts';

/** Faults of processes that somebody else starts, in a file that they look at before each message. */
export class FaultRulesWriter {
  readonly file: string;
  readonly #seed: number;
  readonly #sets: (readonly Rule[])[] = [];
  /** Of how many sets nobody asks any more whether they have fired. */
  #forgotten = 0;

  constructor(file: string, seed: number) {
    this.file = file;
    this.#seed = seed;
  }

  /**
   * These rules hold from the next message on, in place of those before. None: all passes.
   * @throws McpRecordError FAULT_NO_MEANING where a fault is one of the test's own
   */
  use(rules: readonly Rule[]): void {
    const faults = rules.map(serializeRule);
    const set = this.#sets.push(rules);
    const next = `${this.file}.${set}`;
    writeFileSync(next, JSON.stringify({ set, seed: this.#seed, faults }));
    // At once, whoever reads it now.
    renameSync(next, this.file);
  }

  /** Forgets which rules have not fired; those that hold now begin anew. */
  restart(): void {
    const rules = this.#sets.at(-1) ?? [];
    this.#forgotten = this.#sets.length;
    this.use(rules);
  }

  /** Which of all rules that ever held have fired in none of the processes, in words. */
  unfired(told: readonly { set?: number; fired?: Fired }[]): string[] {
    const hasFired = (set: number, rule: number) => told.some((line) => line.set === set && line.fired?.rule === rule);
    return this.#sets.flatMap((rules, n) =>
      n < this.#forgotten
        ? []
        : rules.flatMap((_, index) => (hasFired(n + 1, index + 1) ? [] : [unfiredText(rules, index + 1)])),
    );
  }
}
