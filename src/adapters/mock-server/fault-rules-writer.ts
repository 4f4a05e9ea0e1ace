import { writeFileSync } from 'node:fs';
import { renameFile } from '../../cassette/write/atomic-write.ts';
import type { Fired, Unchanged } from '../../faults/engine/fault-injector.ts';
import type { Rule } from '../../faults/rules/fault-rule.ts';
import { serializeRule } from '../../faults/rules/serialize-rule.ts';
import { FaultRuleHistory } from './fault-rule-history.ts';

/** Writes fault rules to a file for processes started by others. The processes read the file before each message. */
export class FaultRulesWriter {
  readonly file: string;
  readonly #seed: number;
  readonly #sets = new FaultRuleHistory();

  constructor(file: string, seed: number) {
    this.file = file;
    this.#seed = seed;
  }

  /**
   * Replaces the rules, from the next message on. Without rules, every message passes.
   * @throws McpRecordError FAULT_NO_MEANING for a user-defined fault
   */
  use(rules: readonly Rule[]): void {
    const faults = rules.map(serializeRule);
    const set = this.#sets.add(rules);
    const next = `${this.file}.${set}`;
    // File in which all processes count the matches of rules.
    const matches = `${this.file}.matches`;
    writeFileSync(next, JSON.stringify({ set, seed: this.#seed, faults, matches }));
    // Renamed, so that readers see a complete file at any time.
    renameFile(next, this.file);
  }

  /** Forgets earlier unfired rules, and restarts the current rules. */
  restart(): void {
    this.#sets.forget();
    this.use(this.#sets.current);
  }

  /** Returns a sentence for each rule that no process has fired. */
  unfired(told: readonly { set?: number; fired?: Fired; unchanged?: Unchanged }[]): string[] {
    return this.#sets.unfired(
      (set, rule) => told.some((line) => line.set === set && line.fired?.rule === rule),
      (set, rule) => told.find((line) => line.set === set && line.unchanged?.rule === rule)?.unchanged?.unchanged,
    );
  }
}
