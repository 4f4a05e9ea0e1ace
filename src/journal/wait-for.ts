import type { Clock, Milliseconds } from '../kernel/clock.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { formatCount } from '../kernel/format-count.ts';
import { claimedRevision } from '../protocol/claimed-revision.ts';
import { isObject, type Params } from '../protocol/message.ts';
import { isNotificationMethod } from '../protocol/method-problem.ts';
import { CLIENT_CAPABILITIES, METHOD_NAMES } from '../protocol/method-table.ts';
import { type JournalEntry, type JournalSource, methodOf, receivedAmong } from './journal-entry.ts';
import { brief, describeMismatches, isExpectedObject, matchesExpected, nearest, textOf } from './partial-match.ts';
import { type QueryProblem, queryProblem } from './query-problem.ts';
import { matchInTime } from './stop-endless-match.ts';

export interface WaitOptions {
  /** Timeout of the wait. Default: 4,000. */
  timeout?: Milliseconds;
  /** Number of messages to wait for. Default: 1. */
  count?: number;
  /**
   * Members that the params of a request or notification have, at least: `{ name: 'add' }`. Values may be regular
   * expressions and asymmetric matchers, such as `expect.any(String)`. Absent: any params.
   */
  params?: Params;
}

/** Below the 5,000 ms that test runners allow a test. A longer wait would never report the messages that arrived. */
const TIMEOUT: Milliseconds = 4_000;

/**
 * Returns the `waitFor` function of a journal. It resolves with the `count`-th entry of a method. `waiting` has the waits that have not ended.
 * @throws McpRecordError WAIT_TIMED_OUT, WAIT_BAD_OPTION, JOURNAL_MATCH_TIMED_OUT
 */
export function createWaitFor(
  source: Pick<JournalSource, 'entries' | 'watch' | 'clock'>,
  waiting: Set<{ method: string }>,
): WaitFor {
  return async function waitFor(method, options = {}) {
    const wanted = checked(method, options);
    const problem = problemOf(wanted, source.entries());
    if (problem !== undefined) throw refused(problem.why, problem.next);
    // Captured now, because a timer's stack does not include the test.
    const called: { stack?: string } = {};
    Error.captureStackTrace(called, waitFor);
    const found = () =>
      matchInTime(wanted.params, () => receivedAmong(source.entries()).filter((entry) => isWanted(entry, wanted)))[
        wanted.count - 1
      ];
    const first = found();
    if (first) return first;
    return new Promise((resolve, reject) => {
      const settle = (entry: JournalEntry) => {
        end();
        resolve(entry);
      };
      const fail = (error: unknown) => {
        end();
        reject(error);
      };
      const look = (missing: () => void) => {
        try {
          const entry = found();
          if (entry) settle(entry);
          else missing();
        } catch (error) {
          // A matcher of the test has thrown. Logging must continue.
          fail(error);
        }
      };
      const unwatch = source.watch(() => look(() => {}));
      const stop = after(source.clock, wanted.timeout, () =>
        look(() => fail(calledAt(timedOut(wanted, source.entries()), called))),
      );
      const end = () => {
        unwatch();
        stop();
        waiting.delete(wanted);
      };
      waiting.add(wanted);
    });
  };
}

type WaitFor = (method: string, options?: WaitOptions) => Promise<JournalEntry>;

type Wanted = Required<WaitOptions> & { method: string };

/** Returns the problem of a wait that no message can end. */
function problemOf({ method, params }: Wanted, entries: readonly JournalEntry[]): QueryProblem | undefined {
  const kind = isNotificationMethod(method) ? 'notification' : 'request';
  return queryProblem({ kind, method, params, entries });
}

function isWanted(entry: JournalEntry, { method, params }: Wanted): boolean {
  return methodOf(entry) === method && matchesExpected(paramsOf(entry), params);
}

/** Returns the params of an entry. An answer has none, so a wait for params never matches an answer. */
function paramsOf(entry: JournalEntry): Params {
  return entry.kind === 'answer' ? {} : (entry.params ?? {});
}

function after(clock: Clock, timeout: Milliseconds, task: () => void): () => void {
  return timeout === Number.POSITIVE_INFINITY ? () => {} : clock.after(timeout, task);
}

/** Replaces an error's stack by the stack of a call. */
function calledAt(error: McpRecordError, { stack = '' }: { stack?: string }): McpRecordError {
  const frames = stack.slice(stack.indexOf('\n'));
  error.stack = `${error.name}: ${error.message}${frames}`;
  return error;
}

const NAMES: readonly string[] = ['timeout', 'count', 'params'];

/** @throws McpRecordError WAIT_BAD_OPTION */
function checked(method: string, options: WaitOptions): Wanted {
  if (!isObject(options)) throw refused(`the options are ${textOf(options)}`);
  const { timeout = TIMEOUT, count = 1, params = {} } = options as WaitOptions;
  if (typeof method !== 'string' || method === '') throw refused(`the method is ${JSON.stringify(method)}`);
  const others = Object.entries(options).filter(([name]) => !NAMES.includes(name));
  if (others.length > 0) throw unknownOptions(method, others);
  if (!(timeout >= 0)) throw refused(`the timeout is ${timeout}`);
  if (!(Number.isInteger(count) && count > 0)) throw refused(`the count is ${count}`);
  if (!isExpectedObject(params)) throw refused(`the params are ${textOf(params)}`);
  return { method, timeout, count, params };
}

function unknownOptions(method: string, others: readonly [string, unknown][]): McpRecordError {
  const names = others.map(([name]) => name);
  const [meant] = names.flatMap((name) => didYouMean(name, NAMES, 2) ?? []);
  const params = brief(textOf(Object.fromEntries(others)));
  const next = meant === undefined ? `Write waitFor('${method}', { params: ${params} }).` : `Did you mean ${meant}?`;
  return refused(`there is no option ${names.join(', ')}`, `${next} The options are ${NAMES.join(', ')}.`);
}

const EXAMPLE =
  "Write waitFor('tools/call', { timeout: 1000, count: 2, params: { name: 'add' } }): milliseconds, a whole number from 1, and members of the params.";

function refused(why: string, next: string = EXAMPLE): McpRecordError {
  return new McpRecordError({ code: 'WAIT_BAD_OPTION', what: 'Cannot wait for a message', why, next });
}

function timedOut(wanted: Wanted, entries: readonly JournalEntry[]): McpRecordError {
  const { method, timeout, count, params } = wanted;
  const title = Object.keys(params).length === 0 ? method : `${method} ${textOf(params)}`;
  const own = receivedAmong(entries).filter((entry) => methodOf(entry) === method);
  const others = own.filter((entry) => !isWanted(entry, wanted)).map(paramsOf);
  const actual = nearest(others, params);
  return new McpRecordError({
    code: 'WAIT_TIMED_OUT',
    what: `Waited ${timeout} ms for ${title}${count === 1 ? '' : ` (${count} of it)`}`,
    why: whatCame({ params, fitting: own.length - others.length, others }),
    next: `${listEntries(entries, method)}\n  ${waitAdvice(method)}, or wait longer: waitFor('${method}', { timeout }).${cancelAdvice(wanted, entries)}`,
    ...(actual !== undefined && { expected: params, actual }),
  });
}

/** Returns advice for cancels that are no messages: from 2026-07-28 on, clients over HTTP close the stream ("Cancellation"). */
function cancelAdvice({ method }: Wanted, entries: readonly JournalEntry[]): string {
  const closesStreams = entries.some(
    (entry) => entry.kind === 'request' && entry.headers !== undefined && claimedRevision(entry.message) !== undefined,
  );
  if (method !== 'notifications/cancelled' || !closesStreams) return '';
  return " Over HTTP, this client cancels by closing the stream of its call, which is no message: wait for the abort of the handler's signal.";
}

/** Returns advice on making an awaited message arrive. The sender depends on the method and on the waiting side. */
export function waitAdvice(method: string): string {
  return CLIENT_CAPABILITIES.has(method)
    ? `See that the server asks for ${method}, and that the client answers`
    : 'See that the client sends it';
}

/** Returns the error of a test that ended before an awaited message arrived. */
export function waitNotAwaited(method: string): McpRecordError {
  return new McpRecordError({
    code: 'WAIT_NOT_AWAITED',
    what: `The test ended while it waited for ${method}`,
    why: 'the message has not come, and the test did not await the wait',
    next: `Write await: await journal.waitFor('${method}').`,
  });
}

interface ReceivedSummary {
  params: Params;
  /** Number of messages with these params. */
  fitting: number;
  /** Params of the messages that do not match. */
  others: readonly Params[];
}

function whatCame({ params, fitting, others }: ReceivedSummary): string {
  if (others.length === 0) return fitting === 0 ? 'it did not come' : `only ${fitting} came`;
  const rest = `${others.length} ${fitting === 0 ? 'came ' : ''}with other params`;
  const differs = `${others.length === 1 ? '' : 'of the nearest '}${describeMismatches(nearest(others, params), params)}`;
  return `${fitting === 0 ? '' : `only ${fitting} came, and `}${rest}: ${differs}`;
}

const LISTED_MAX = 20;

/**
 * Lists entries in order, as a sentence. Repeated titles are counted. If `method` is unknown and no entry has it, a
 * suggestion comes first.
 */
export function listEntries(entries: readonly JournalEntry[], method: string): string {
  if (entries.length === 0) return `${question(entries, method)}Nothing came.`;
  const runs: { title: string; count: number }[] = [];
  for (const entry of entries) {
    const said = entry.kind === 'answer' ? `answer to ${entry.to ?? 'nothing'}` : entry.method;
    const title = entry.status === undefined ? said : `${said} (refused with ${entry.status})`;
    const last = runs.at(-1);
    if (last?.title === title) last.count++;
    else runs.push({ title, count: 1 });
  }
  const shown = runs.slice(0, LISTED_MAX).map(({ title, count }) => (count > 1 ? `${title} ×${count}` : title));
  const more = runs.length - LISTED_MAX;
  return `${question(entries, method)}Received ${formatCount(entries.length, 'message')}: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''}.`;
}

/**
 * Suggests a known method for a misspelt one, as a question. Names of extensions that resemble no known method give an
 * empty text.
 */
function question(entries: readonly JournalEntry[], method: string): string {
  const known = [...METHOD_NAMES, ...entries.flatMap((entry) => methodOf(entry) ?? [])];
  const meant = known.includes(method) ? undefined : didYouMean(method, known, 2);
  return meant === undefined ? '' : `Did you mean ${meant}? `;
}
