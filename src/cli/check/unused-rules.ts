import { EXIT } from '../io/output.ts';
import type { EndedRun } from './check-verdicts-and-summary.ts';

/** Note of `diff` or `verify` on an option that has matched nothing. */
const NOTE = /^(?:mcp-record: Note|note): (--ignore(?:-pattern)? '.*' matched nothing: .*)$/;

/** Ignore rules of the command line that matched nothing, over all commands of a check: each sees a few cassettes only. */
export class UnusedRules {
  #runs = 0;
  readonly #counts = new Map<string, number>();

  /** Returns the printed lines of a command without its notes on such rules. */
  take(lines: readonly string[], { args: [name], status }: Pick<EndedRun, 'args' | 'status'>): string[] {
    const notes = new Set(lines.flatMap((line) => NOTE.exec(line)?.[1] ?? []));
    // A command that has compared nothing does not know whether a rule matches.
    if ((name === 'diff' || name === 'verify') && status <= EXIT.fellShort) {
      this.#runs++;
      for (const note of notes) this.#counts.set(note, (this.#counts.get(note) ?? 0) + 1);
    }
    return lines.filter((line) => !NOTE.test(line));
  }

  /** Returns the notes that every command has printed. */
  inAll(): string[] {
    return [...this.#counts].flatMap(([note, count]) => (count === this.#runs ? [note] : []));
  }
}
