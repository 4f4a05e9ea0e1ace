import type { Cancel, Clock } from '../kernel/clock.ts';
import { type Journal, journalOf } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';

/** Joins several journals, in the order of `add` calls. Sessions are numbered across all journals. */
export class JoinedJournal {
  readonly journal: Journal;
  readonly #parts: Journal[] = [];
  /** Watcher → the functions that cancel its watch of each part. */
  readonly #watchers = new Map<() => void, Cancel[]>();

  constructor(clock: Clock) {
    this.journal = journalOf({
      clock,
      entries: () => joinEntries(this.#parts),
      waiting: () => this.#parts.flatMap((part) => part.waiting),
      isOpen: () => this.#parts.length > 0,
      reset: () => {
        for (const part of this.#parts) part.reset();
      },
      watch: (changed) => {
        this.#watchers.set(
          changed,
          this.#parts.map((part) => part.watch(changed)),
        );
        return () => this.#unwatch(changed);
      },
    });
  }

  add(part: Journal): void {
    this.#parts.push(part);
    for (const [changed, cancels] of this.#watchers) {
      cancels.push(part.watch(changed));
      changed();
    }
  }

  #unwatch(changed: () => void): void {
    for (const cancel of this.#watchers.get(changed) ?? []) cancel();
    this.#watchers.delete(changed);
  }
}

function joinEntries(parts: readonly Journal[]): JournalEntry[] {
  const sessions = new Map<string, number>();
  return parts.flatMap(({ entries }, part) =>
    entries.map((entry) => {
      if (entry.session === undefined) return entry;
      const key = `${part} ${entry.session}`;
      const session = sessions.get(key) ?? sessions.size + 1;
      sessions.set(key, session);
      return { ...entry, session };
    }),
  );
}
