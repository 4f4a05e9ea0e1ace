import type { Cancel } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import type { Params, Request } from '../protocol/message.ts';
import {
  type JournalEntry,
  type JournalSource,
  type ReceivedAnswer,
  type ReceivedNotification,
  type ReceivedRequest,
  receivedAmong,
} from './journal-entry.ts';
import { matchesExpected, textOf } from './partial-match.ts';
import { type JournalQuery, queryProblem } from './query-problem.ts';
import { matchInTime } from './stop-endless-match.ts';
import { createWaitFor, type WaitOptions } from './wait-for.ts';

/** The messages that clients have sent, in order. Every entry point has the same type of journal. */
export interface Journal {
  /** All entries. Entries refused by authorization, or by a fault of it, have a `status`. Other members of the journal leave them out. */
  readonly entries: readonly JournalEntry[];
  /**
   * Returns the clients' requests, optionally of one method. With `params`, only requests that contain these params:
   * `requests('tools/call', { name: /^add/ })`.
   * @throws McpRecordError JOURNAL_BAD_QUERY if no request can match, also for `notifications` and `answers`;
   * JOURNAL_MATCH_TIMED_OUT
   */
  requests(method?: string, params?: Params): ReceivedRequest[];
  /**
   * Returns the clients' notifications, optionally of one method. With `params`, only notifications that contain these
   * params.
   */
  notifications(method?: string, params?: Params): ReceivedNotification[];
  /** Returns the clients' responses to requests of the server, of one method (e.g. `sampling/createMessage`) or all. */
  answers(method?: string): ReceivedAnswer[];
  /**
   * Resolves with the `count`-th entry of `method`: a request, a notification, or a response to such a request. Earlier
   * entries count, too.
   * @throws McpRecordError WAIT_TIMED_OUT, with a list of all entries; WAIT_BAD_OPTION, JOURNAL_MATCH_TIMED_OUT
   */
  waitFor(method: string, options?: WaitOptions): Promise<JournalEntry>;
  /** Methods of open `waitFor` calls. */
  readonly waiting: readonly string[];
  /** Whether a peer for clients is open: false for a test that has opened no session, server or endpoint. */
  readonly isOpen: boolean;
  /** Removes all entries. */
  reset(): void;
  /** Calls `changed` whenever entries may have been added. The returned function stops the calls. */
  watch(changed: () => void): Cancel;
}

/** Creates a journal from a source. */
export function journalOf(source: JournalSource): Journal {
  const waiting = new Set<{ method: string }>();
  return {
    get entries() {
      return source.entries();
    },
    requests: (method, params = {}) => {
      const entries = checked(source, 'requests', { kind: 'request', method, params });
      return matchInTime(params, () =>
        entries.flatMap((one) =>
          one.kind === 'request' && isOf(one.method, method) && matchesExpected(one.params ?? {}, params) ? [one] : [],
        ),
      );
    },
    notifications: (method, params = {}) => {
      const entries = checked(source, 'notifications', { kind: 'notification', method, params });
      return matchInTime(params, () =>
        entries.flatMap((one) =>
          one.kind === 'notification' && isOf(one.method, method) && matchesExpected(one.params ?? {}, params)
            ? [one]
            : [],
        ),
      );
    },
    answers: (method) =>
      checked(source, 'answers', { kind: 'answer', method }).flatMap((one) =>
        one.kind === 'answer' && isOf(one.to, method) ? [one] : [],
      ),
    waitFor: createWaitFor(source, waiting),
    get waiting() {
      return [...[...waiting].map(({ method }) => method), ...(source.waiting?.() ?? [])];
    },
    get isOpen() {
      return source.isOpen?.() ?? true;
    },
    reset: () => source.reset(),
    watch: (changed) => source.watch(changed),
  };
}

/**
 * Returns the entries of a source, after a check that the query can match.
 * @throws McpRecordError JOURNAL_BAD_QUERY
 */
function checked(source: JournalSource, name: string, query: Omit<JournalQuery, 'entries'>): readonly JournalEntry[] {
  const entries = source.entries();
  if (query.method === undefined) return receivedAmong(entries);
  const problem = queryProblem({ ...query, entries });
  if (problem === undefined) return receivedAmong(entries);
  throw new McpRecordError({
    code: 'JOURNAL_BAD_QUERY',
    what: `Cannot look for ${name} of ${textOf(query.method)} in the journal`,
    ...problem,
  });
}

/** Returns the request messages of a journal, of one method or all. */
export function requestsOf(journal: Journal, method?: string): Request[] {
  return journal.requests(method).map(({ message }) => message);
}

function isOf(own: string | undefined, method: string | undefined): boolean {
  return method === undefined || own === method;
}
