import type { Cancel, Clock } from '../kernel/clock.ts';
import type { Request } from '../protocol/message.ts';
import type { JournalEntry, ReceivedAnswer, ReceivedNotification, ReceivedRequest } from './journal-entry.ts';
import { type WaitOptions, waitFor } from './wait-for.ts';

/** What clients have sent, in order: the same value on every entry point. */
export interface Journal {
  readonly entries: readonly JournalEntry[];
  /** The requests of clients: all, or those of one method. */
  requests(method?: string): ReceivedRequest[];
  /** The notifications of clients. */
  notifications(method?: string): ReceivedNotification[];
  /** The answers of clients to requests of the server: all, or those to one method, e.g. `sampling/createMessage`. */
  answers(method?: string): ReceivedAnswer[];
  /**
   * Resolves with the entry as soon as a request or notification of `method`, or an answer to it, has come, or as many as
   * `count` says. What came before the call counts, too.
   * @throws McpRecordError WAIT_TIMED_OUT, with all that came; WAIT_BAD_OPTION
   */
  waitFor(method: string, options?: WaitOptions): Promise<JournalEntry>;
  /** Forgets what has come so far. */
  reset(): void;
  /** Calls back whenever there may be more entries, until it is cancelled. */
  watch(changed: () => void): Cancel;
}

/** Where a journal's entries come from. */
export interface JournalSource extends Pick<Journal, 'reset' | 'watch'> {
  entries(): readonly JournalEntry[];
  /** What deadlines are measured by. */
  clock: Clock;
}

/** The journal of a source. */
export function journalOf(source: JournalSource): Journal {
  return {
    get entries() {
      return source.entries();
    },
    requests: (method) =>
      source.entries().flatMap((one) => (one.kind === 'request' && isOf(one.method, method) ? [one] : [])),
    notifications: (method) =>
      source.entries().flatMap((one) => (one.kind === 'notification' && isOf(one.method, method) ? [one] : [])),
    answers: (method) =>
      source.entries().flatMap((one) => (one.kind === 'answer' && isOf(one.to, method) ? [one] : [])),
    waitFor: (method, options) => waitFor(source, method, options),
    reset: () => source.reset(),
    watch: (changed) => source.watch(changed),
  };
}

/** The requests of a journal as they came. */
export function requestsOf(journal: Journal, method?: string): Request[] {
  return journal.requests(method).map(({ message }) => message);
}

function isOf(own: string | undefined, method: string | undefined): boolean {
  return method === undefined || own === method;
}
