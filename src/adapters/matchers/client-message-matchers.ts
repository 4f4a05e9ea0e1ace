import { loadCassette } from '../../cassette/read/load-cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import type { Journal } from '../../journal/journal.ts';
import { type JournalEntry, methodOf } from '../../journal/journal-entry.ts';
import { describeMismatches, matchesExpected, nearest } from '../../journal/partial-match.ts';
import { matchInTime } from '../../journal/stop-endless-match.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { askedKey } from '../../match/request-identity.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Params, type Request, type Response } from '../../protocol/message.ts';
import { identityParams } from '../../protocol/method-table.ts';
import { resolveCassettePath } from '../test/resolve-beside-test-file.ts';
import { journalIn, type MatcherCall, refuseFurther, validateMatcherCall } from './matcher-arguments.ts';

/** An object with a journal of client messages: `mcp`, a session, a mock server, a transport, an endpoint. */
export type Asked = Journal | { journal: Journal };

/** The runner's state, passed as `this` to matchers. */
export interface MatcherState {
  isNot?: boolean;
  /** Path of the test file, in vitest and Jest. */
  testPath?: string | undefined;
}

/** Result of a matcher in vitest and Jest. */
export interface Matched {
  pass: boolean;
  message(): string;
  expected?: unknown;
  actual?: unknown;
}

/** Expected count of messages. */
export interface Times {
  /** Exact count. */
  times: number;
}

/** Members that a client's answer has to include. */
export type Answered = Pick<Response, 'result'> | { error: Partial<NonNullable<Response['error']>> };

/** Matchers for `expect.extend(matchers)`. The fixture of `mcp-record/vitest` adds them automatically. */
export const matchers: {
  toHaveReceivedRequest(this: MatcherState, asked: Asked, method: string, params?: Params, options?: Times): Matched;
  toHaveReceivedNotification(
    this: MatcherState,
    asked: Asked,
    method: string,
    params?: Params,
    options?: Times,
  ): Matched;
  toHaveAnswered(this: MatcherState, asked: Asked, method: string, answer?: Answered, options?: Times): Matched;
  toMatchSession(this: MatcherState, asked: Asked, cassette: string): Matched;
} = {
  /** Passes if a client has sent a request `method` whose params include `params`. */
  toHaveReceivedRequest(asked, method, params, ...rest) {
    const { isNot = false } = this;
    const call: MatcherCall = { matcher: 'toHaveReceivedRequest', subject: asked, method, expected: params, rest };
    const { journal, times } = validateMatcherCall(call);
    const came = journal.requests(method).map((one) => one.params ?? {});
    const others = journal.requests();
    return among({ kind: 'request', method, detail: 'params', came, wanted: params, others, times, isNot });
  },
  /** Passes if a client has sent a notification `method` whose params include `params`. */
  toHaveReceivedNotification(asked, method, params, ...rest) {
    const { isNot = false } = this;
    const call: MatcherCall = { matcher: 'toHaveReceivedNotification', subject: asked, method, expected: params, rest };
    const { journal, times } = validateMatcherCall(call);
    const came = journal.notifications(method).map((one) => one.params ?? {});
    const others = journal.notifications();
    return among({ kind: 'notification', method, detail: 'params', came, wanted: params, others, times, isNot });
  },
  /**
   * Passes if a client has answered a server request `method` with an answer that includes `answer`: `{ result }` or `{
   * error }`.
   */
  toHaveAnswered(asked, method, answer, ...rest) {
    const { isNot = false } = this;
    const call: MatcherCall = { matcher: 'toHaveAnswered', subject: asked, method, expected: answer, rest };
    const { journal, times } = validateMatcherCall(call);
    const came = journal.answers(method).map(({ result, error }) => ({
      ...(result !== undefined && { result }),
      ...(error !== undefined && { error }),
    }));
    const others = journal.answers();
    return among({ kind: 'answer', method, detail: 'values', came, wanted: answer, others, times, isNot });
  },
  /** Passes if clients sent the requests of `cassette` in order, apart from volatile values. */
  toMatchSession(asked, cassette, ...rest) {
    const journal = journalIn(asked, 'toMatchSession', cassette);
    refuseFurther('toMatchSession', rest);
    const recorded = eventsToEntries(loadCassette(resolveCassettePath(cassette, this.testPath)).events).flatMap(
      ({ from, message, json }) =>
        from === 'client' && isRequest(message) && json ? [{ key: askedKey(json), shown: shown(message) }] : [],
    );
    const live = journal.requests().map(({ message }) => ({
      key: askedKey(new JsonText(JSON.stringify(message))),
      shown: shown(message),
    }));
    const pass = recorded.length === live.length && recorded.every(({ key }, n) => key === live[n]?.key);
    return {
      pass,
      message: () => `expected the requests ${this.isNot ? 'to differ from' : 'to be'} those of ${cassette}`,
      expected: recorded.map((one) => one.shown),
      actual: live.map((one) => one.shown),
    };
  },
};

interface Sought {
  kind: JournalEntry['kind'];
  /** Method of the expected message. That of an answer is the method of its request. */
  method: string;
  /** Compared part of a message. */
  detail: string;
  came: readonly unknown[];
  wanted: unknown;
  /** All entries of the same kind. */
  others: readonly JournalEntry[];
  /** Expected count. Undefined: at least once. */
  times: number | undefined;
  isNot: boolean;
}

function among(sought: Sought): Matched {
  const { came, wanted, times, isNot } = sought;
  const unlike =
    wanted === undefined ? [] : matchInTime(wanted, () => came.filter((one) => !matchesExpected(one, wanted)));
  const fitting = came.length - unlike.length;
  const pass = times === undefined ? fitting > 0 : fitting === times;
  const message = () => `expected ${expectedText(sought)}, but received ${receivedText(sought, unlike)}`;
  if (isNot) return { pass, message, expected: wanted, actual: came.length === 1 ? came[0] : came };
  const near = fitting < (times ?? 1) ? nearest(unlike, wanted) : undefined;
  return { pass, message, ...(near !== undefined && { expected: wanted, actual: near }) };
}

function expectedText(sought: Sought): string {
  const { detail, wanted, times, isNot } = sought;
  const such = wanted === undefined ? '' : ` with these ${detail}`;
  if (times !== undefined) return `${isNot ? 'any number but ' : ''}${messagesText(sought, times)}${such}`;
  const one = messagesText(sought, 1).replace(/^1 /, '');
  return `${isNot ? 'no' : /^[aeiou]/.test(one) ? 'an' : 'a'} ${one}${such}`;
}

function receivedText(sought: Sought, unlike: readonly unknown[]): string {
  const { kind, detail, came, wanted, others, times, isNot } = sought;
  if (came.length === 0 && !isNot) {
    const methods = [...new Set(others.map((one) => methodOf(one) ?? 'an unknown request'))];
    return methods.length > 0 ? `only ${kind}s${kind === 'answer' ? ' to' : ''}: ${methods.join(', ')}` : 'none';
  }
  const fitting = came.length - unlike.length;
  const such = times === undefined || wanted === undefined ? '' : `${fitting} with these ${detail}, of `;
  const all = `${such}${messagesText(sought, came.length)}`;
  if (isNot || unlike.length === 0 || fitting >= (times ?? 1)) return all;
  const which = unlike.length === 1 ? '' : 'in the closest one, ';
  return `${all}: ${which}${describeMismatches(nearest(unlike, wanted), wanted)}`;
}

/** Returns a count with the messages that are counted: `2 ping requests`, `1 answer to roots/list`. */
function messagesText({ kind, method }: Sought, count: number): string {
  return kind === 'answer' ? `${formatCount(count, kind)} to ${method}` : formatCount(count, `${method} ${kind}`);
}

/** Returns the comparable part of a request. */
function shown({ method, params }: Request): { method: string; params: Params } {
  const { requestState, ...identity } = identityParams(method, params);
  return { method, params: identity };
}
