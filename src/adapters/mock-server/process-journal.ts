import { type Journal, journalOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import type { ProcessLogLine } from './process-log-reader.ts';

/** Interval for reading new lines while a test waits. */
const LOOK: Milliseconds = 20;

/** A journal of client messages logged to a file by other processes. The file is read on access and during waits. */
export class ProcessJournal {
  readonly journal: Journal;
  readonly #received: MessageLog;
  /** Session number by process id. */
  readonly #sessions = new Map<number, number>();

  /** Creates the journal. `look` reads new lines and passes them to `take`. */
  constructor(look: () => void, clock: Clock) {
    this.#received = new MessageLog(clock);
    const inner = this.#received.journal;
    this.journal = journalOf({
      clock,
      entries: () => {
        look();
        return inner.entries;
      },
      reset: () => {
        look();
        inner.reset();
      },
      watch(changed) {
        // Other processes write in real time, even if the test has its own clock.
        let stop = systemClock.after(LOOK, function again() {
          look();
          stop = systemClock.after(LOOK, again);
        });
        const unwatch = inner.watch(changed);
        return () => {
          unwatch();
          stop();
        };
      },
    });
  }

  /** Adds a logged line. */
  take({ pid, from, message }: ProcessLogLine): void {
    if (from === undefined) return;
    const session = this.#sessions.get(pid) ?? this.#sessions.size + 1;
    this.#sessions.set(pid, session);
    if (from === 'client') this.#received.addFromClient(message, { session });
    else this.#received.addFromServer(message, { session });
  }

  /** Clears the journal and restarts the session numbers. */
  reset(): void {
    this.journal.reset();
    this.#sessions.clear();
  }
}
