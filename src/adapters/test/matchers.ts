import { entriesOf } from '../../cassette/correlate/session-entries.ts';
import { loadCassette } from '../../cassette/read/load-cassette.ts';
import type { Journal } from '../../journal/journal.ts';
import { type JournalEntry, methodOf } from '../../journal/journal-entry.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { identityOf } from '../../match/request-identity.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { isRequest, type Params, type Request, type Response } from '../../protocol/message.ts';
import { identityParams, METHOD_NAMES } from '../../protocol/method-rules.ts';
import { cassettePath } from './cassette-path.ts';

/** Whatever has a journal of what clients have sent: `mcp`, a session, a mock server, a transport, an endpoint. */
export type Asked = Journal | { journal: Journal };

/** What a runner gives its matchers. */
interface MatcherState {
  isNot?: boolean;
  /** Path of the test file, in vitest and Jest. */
  testPath?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each runner has testers of its own
  equals(actual: unknown, expected: unknown, testers?: any[]): boolean;
  // biome-ignore lint/suspicious/noExplicitAny: each runner has testers of its own
  utils: any;
}

/** How a matcher answers, in vitest and Jest. */
interface Matched {
  pass: boolean;
  message(): string;
  expected?: unknown;
  actual?: unknown;
}

/** What a client's answer holds at least. */
export type Answered = Pick<Response, 'result'> | { error: Partial<NonNullable<Response['error']>> };

/** Matchers for `expect.extend(matchers)`. The fixture of `mcp-record/vitest` adds them itself. */
export const matchers: {
  toHaveReceivedRequest(this: MatcherState, asked: Asked, method: string, params?: Params): Matched;
  toHaveReceivedNotification(this: MatcherState, asked: Asked, method: string, params?: Params): Matched;
  toHaveAnswered(this: MatcherState, asked: Asked, method: string, answer?: Answered): Matched;
  toMatchSession(this: MatcherState, asked: Asked, cassette: string): Matched;
} = {
  /** A client has sent a request `method`, with params that hold at least `params`. */
  toHaveReceivedRequest(asked, method, params) {
    const journal = journalIn(asked, 'toHaveReceivedRequest', method);
    checkSought(this, { matcher: 'toHaveReceivedRequest', method, params });
    const came = journal.requests(method).map((one) => one.params ?? {});
    const others = journal.requests();
    return among(this, { kind: 'request', title: method, detail: 'params', came, wanted: params, others });
  },
  /** A client has sent a notification `method`, with params that hold at least `params`. */
  toHaveReceivedNotification(asked, method, params) {
    const journal = journalIn(asked, 'toHaveReceivedNotification', method);
    checkSought(this, { matcher: 'toHaveReceivedNotification', method, params });
    const came = journal.notifications(method).map((one) => one.params ?? {});
    const others = journal.notifications();
    return among(this, {
      kind: 'notification',
      title: method,
      detail: 'params',
      came,
      wanted: params,
      others,
    });
  },
  /** A client has answered a request `method` of the server, with at least `answer`: `{ result }` or `{ error }`. */
  toHaveAnswered(asked, method, answer) {
    const journal = journalIn(asked, 'toHaveAnswered', method);
    const came = journal.answers(method).map(({ result, error }) => ({
      ...(result !== undefined && { result }),
      ...(error !== undefined && { error }),
    }));
    const others = journal.answers();
    const title = `to ${method}`;
    return among(this, { kind: 'answer', title, detail: 'values', came, wanted: answer, others });
  },
  /** Passes if clients sent the requests of `cassette` in its order, apart from volatile values. */
  toMatchSession(asked, cassette) {
    const journal = journalIn(asked, 'toMatchSession', cassette);
    const recorded = entriesOf(loadCassette(cassettePath(cassette, this.testPath)).events).flatMap(
      ({ from, message, json }) =>
        from === 'client' && isRequest(message) && json ? [{ key: identityOf(json).key, shown: shown(message) }] : [],
    );
    const live = journal.requests().map(({ message }) => ({
      key: identityOf(new JsonText(JSON.stringify(message))).key,
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
  /** What is sought, in words. */
  title: string;
  /** What `wanted` compares. */
  detail: string;
  came: readonly unknown[];
  wanted: unknown;
  /** All of the same kind. */
  others: readonly JournalEntry[];
}

function among({ equals, isNot, utils }: MatcherState, sought: Sought): Matched {
  const { kind, title, detail, came, wanted } = sought;
  const pass = came.some(
    (one) => wanted === undefined || equals(one, wanted, [utils.iterableEquality, utils.subsetEquality]),
  );
  if (isNot || came.length > 0) {
    const what = `${title}${wanted === undefined ? '' : ` with these ${detail}`}`;
    const article = isNot ? 'no' : kind === 'answer' ? 'an' : 'a';
    const message = () =>
      `expected ${article} ${kind} ${what}; there came ${formatCount(came.length, kind)} of that method`;
    return { pass, message, expected: wanted, actual: came.length === 1 ? came[0] : came };
  }
  const others = [...new Set(sought.others.map((one) => methodOf(one) ?? 'one to nothing'))];
  const article = kind === 'answer' ? 'an' : 'a';
  const message = () =>
    `expected ${article} ${kind} ${title}; there came ${others.length > 0 ? `only ${others.join(', ')}` : 'none'}`;
  return { pass, message };
}

/** @throws McpRecordError MATCHER_WRONG_OBJECT: also under `.not`, which must not pass on what knows nothing */
function journalIn(asked: unknown, matcher: string, argument: unknown): Journal {
  const candidate = has(asked, 'journal') ? asked.journal : asked;
  if (!isJournal(candidate)) {
    throw wrong(
      `expect(…).${matcher}()`,
      `${described(asked)} has no journal of what clients have sent`,
      'Give it `mcp`, a session, a mock server, a replay transport, an endpoint of MSW or nock, or the journal of one.',
    );
  }
  if (typeof argument !== 'string' || argument === '')
    throw wrong(
      `expect(…).${matcher}(${described(argument)})`,
      'its first argument is no string',
      matcher === 'toMatchSession' ? 'Give it the path of a cassette.' : "Give it a method of MCP, e.g. 'tools/call'.",
    );
  return candidate;
}

/**
 * Checks what is sought: under `.not` a mistake in it would pass.
 * @throws McpRecordError MATCHER_WRONG_OBJECT
 */
function checkSought(
  { isNot }: MatcherState,
  { matcher, method, params }: { matcher: string; method: string; params: unknown },
): void {
  const isNotification = method.startsWith('notifications/');
  const call = `expect(…).${matcher}(${described(method)})`;
  if (isNotification !== (matcher === 'toHaveReceivedNotification'))
    throw wrong(
      call,
      isNotification ? 'it is the method of a notification' : 'it is the method of a request',
      `Use toHaveReceived${isNotification ? 'Notification' : 'Request'}.`,
    );
  const mayBeTypo = isNot && !isNotification && !METHOD_NAMES.includes(method);
  const meant = mayBeTypo ? didYouMean(method, METHOD_NAMES, 1) : undefined;
  if (meant !== undefined) throw wrong(call, 'MCP has no such method', `Did you mean ${described(meant)}?`);
  if (params === undefined) return;
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    throw wrong(call, `its params are ${described(params)}`, 'Give an object that the params hold at least.');
  if ('jsonrpc' in params || 'params' in params)
    throw wrong(call, 'it was given a whole message', 'Give the params alone, e.g. { name: "add" }.');
}

function wrong(what: string, why: string, next: string): McpRecordError {
  return new McpRecordError({ code: 'MATCHER_WRONG_OBJECT', what: `Cannot check ${what}`, why, next });
}

function has<Key extends string>(value: unknown, key: Key): value is Record<Key, unknown> {
  return (typeof value === 'object' || typeof value === 'function') && value !== null && key in value;
}

function isJournal(value: unknown): value is Journal {
  return (['requests', 'notifications', 'answers'] as const).every(
    (key) => has(value, key) && typeof value[key] === 'function',
  );
}

function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const { name } = (value as { constructor?: { name?: string } }).constructor ?? {};
  return name && name !== 'Object' ? `a ${name}` : 'this object';
}

/** A request as people compare it. */
function shown({ method, params }: Request): { method: string; params: Params } {
  return { method, params: identityParams(method, params) };
}
