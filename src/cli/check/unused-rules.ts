import type { Cassette } from '../../cassette/cassette.ts';
import { EXIT } from '../io/output.ts';
import { givenIgnores, seeRecorded } from '../options/ignore-options.ts';
import type { EndedRun } from './check-verdicts-and-summary.ts';
import type { CheckOptions } from './planned-checks.ts';

/** Note of `diff` or `verify` on an option that has matched nothing. */
const NOTE = /^(?:mcp-record: Note|note): (--ignore(?:-pattern)? '.*' matched nothing: .*)$/;

/** Ignore rules of the command line that matched nothing, over all commands of a check: each sees a few cassettes only. */
export class UnusedRules {
  readonly #noted = new Set<string>();
  /** Notes of each comparison with a revision, which has seen all messages. */
  readonly #ofComparisons: ReadonlySet<string>[] = [];

  /** Returns the printed lines of a command without its notes on such rules. */
  take(lines: readonly string[], { args: [name], status }: Pick<EndedRun, 'args' | 'status'>): string[] {
    const notes = new Set(lines.flatMap((line) => NOTE.exec(line)?.[1] ?? []));
    for (const note of notes) this.#noted.add(note);
    if (name === 'diff' && status <= EXIT.fellShort) this.#ofComparisons.push(notes);
    return lines.filter((line) => !NOTE.test(line));
  }

  /** Returns the notes on rules that match nothing in any of the cassettes either. */
  notes(
    { ignore, ignorePattern }: Pick<CheckOptions, 'ignore' | 'ignorePattern'>,
    load: () => readonly Cassette[],
  ): string[] {
    const noted = [...this.#noted].filter((note) => this.#ofComparisons.every((notes) => notes.has(note)));
    if (noted.length === 0) return [];
    const given = givenIgnores({ ignore: [...ignore], ignorePattern: [...ignorePattern] });
    seeRecorded(given, load());
    const unmatched = new Set(given.usage.notes());
    return noted.filter((note) => unmatched.has(note));
  }
}
