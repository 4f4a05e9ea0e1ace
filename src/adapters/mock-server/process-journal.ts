import { type Journal, journalOf } from '../../journal/journal.ts';
import { MessageLog } from '../../journal/message-log.ts';
import { type Clock, type Milliseconds, systemClock } from '../../kernel/clock.ts';
import type { ProcessLogLine } from './process-log-reader.ts';

/** How often to look for new lines while somebody waits. */
const LOOK: Milliseconds = 20;

/** What clients have sent to processes that tell of it in a file: read whenever somebody asks, and while somebody waits. */
export class ProcessJournal {
  readonly journal: Journal;
  readonly #received: MessageLog;
  /** Process → its number. */
  readonly #sessions = new Map<number, number>();

  /** `look` takes in what is new, by `take`. */
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
        // A process writes in real time, whatever the clock of the test is.
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

  /** Takes a line. */
  take({ pid, from, message }: ProcessLogLine): void {
    if (from === undefined) return;
    const session = this.#sessions.get(pid) ?? this.#sessions.size + 1;
    this.#sessions.set(pid, session);
    if (from === 'client') this.#received.addFromClient(message, { session });
    else this.#received.addFromServer(message, { session });
  }

  /** Begins to count processes anew. */
  reset(): void {
    this.journal.reset();
    this.#sessions.clear();
  }
}
