import { writeFileSync } from 'node:fs';
import { renameFile } from '../../cassette/write/atomic-write.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { serializeRule } from '../../faults/rules/serialize-rule.ts';
import { FaultRuleSets } from './fault-rule-sets.ts';

/** Faults of processes that somebody else starts, in a file that they look at before each message. */
export class FaultRulesWriter {
  readonly file: string;
  readonly #seed: number;
  readonly #sets = new FaultRuleSets();

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
    const set = this.#sets.add(rules);
    const next = `${this.file}.${set}`;
    // The rules count over all of the processes.
    const matches = `${this.file}.matches`;
    writeFileSync(next, JSON.stringify({ set, seed: this.#seed, faults, matches }));
    // At once, whoever reads it now.
    renameFile(next, this.file);
  }

  /** Forgets which rules have not fired; those that hold now begin anew. */
  restart(): void {
    this.#sets.forget();
    this.use(this.#sets.current);
  }

  /** Which of all rules that ever held have fired in none of the processes, in words. */
  unfired(told: readonly { set?: number; fired?: Fired }[]): string[] {
    return this.#sets.unfired((set, rule) => told.some((line) => line.set === set && line.fired?.rule === rule));
  }
}
