import type { Journal } from '../../journal/journal.ts';
import { brief, isExpectedObject, textOf } from '../../journal/partial-match.ts';
import { queryProblem } from '../../journal/query-problem.ts';
import { didYouMean } from '../../kernel/did-you-mean.ts';
import { McpRecordError } from '../../kernel/errors.ts';

/** A matcher call in a test. Its arguments may not be type-checked. */
export interface MatcherCall {
  matcher: 'toHaveReceivedRequest' | 'toHaveReceivedNotification' | 'toHaveAnswered';
  subject: unknown;
  method: string;
  /** Expected params or answer. */
  expected: unknown;
  /** Arguments after `expected`. */
  rest: readonly unknown[];
}

/**
 * Checks a matcher's arguments. Returns the journal and the expected count.
 * @throws McpRecordError MATCHER_WRONG_OBJECT, OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
export function validateMatcherCall(call: MatcherCall): { journal: Journal; times: number | undefined } {
  const journal = journalIn(call.subject, call.matcher, call.method);
  const times = timesIn(call.matcher, call.rest);
  rejectImpossibleExpectation(call, journal);
  return { journal, times };
}

/**
 * Returns the journal of a matcher's subject. Under `.not` a wrong subject is an error too, because the check would
 * pass without a journal, and with one that no client can send to.
 * @throws McpRecordError MATCHER_WRONG_OBJECT
 */
export function journalIn(asked: unknown, matcher: string, argument: unknown): Journal {
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
  if (candidate.isOpen === false)
    throw wrong(
      `expect(…).${matcher}(${described(argument)})`,
      'the test has opened no session, server or endpoint, so that no client could send anything',
      'Open one before the check: mcp.connect(…), mcp.server(…) or mcp.own(…). For a client of mcp.mockClient, ask its journal.',
    );
  return candidate;
}

/**
 * Rejects arguments that make the check fail, or pass under `.not`, whatever messages arrived.
 * @throws McpRecordError MATCHER_WRONG_OBJECT
 */
function rejectImpossibleExpectation({ matcher, method, expected }: MatcherCall, journal: Journal): void {
  const call = `expect(…).${matcher}(${described(method)})`;
  const isNotification = method.startsWith('notifications/');
  if (isNotification !== (matcher === 'toHaveReceivedNotification'))
    throw wrong(
      call,
      isNotification ? 'it is the method of a notification' : 'it is the method of a request',
      `Use toHaveReceived${isNotification ? 'Notification' : 'Request'}.`,
    );
  const isAnswer = matcher === 'toHaveAnswered';
  const kind = isAnswer ? 'answer' : isNotification ? 'notification' : 'request';
  const timesAmongParams = !isAnswer && isExpectedObject(expected) ? expected.times : undefined;
  const problem = queryProblem({ kind, method, params: isAnswer ? undefined : expected, entries: journal.entries });
  if (problem !== undefined)
    throw wrong(
      call,
      problem.why,
      timesAmongParams === undefined
        ? problem.next
        : `Give options after the params: ('${method}', undefined, { times: ${textOf(timesAmongParams)} }).`,
    );
  if (isAnswer && expected !== undefined) checkAnswer(call, expected);
}

function checkAnswer(call: string, answer: unknown): void {
  if (!isExpectedObject(answer)) throw wrong(call, `its answer is ${described(answer)}`, GIVE_ANSWER);
  if (typeof answer.asymmetricMatch === 'function') return;
  const other = Object.keys(answer).find((name) => name !== 'result' && name !== 'error');
  if (other !== undefined) throw wrong(call, `an answer has no member ${other}`, GIVE_ANSWER);
}

const GIVE_ANSWER = 'Give { result } or { error }, with what the answer holds at least.';

/**
 * Returns the option `times`.
 * @throws McpRecordError OPTION_UNKNOWN, OPTION_BAD_VALUE
 */
function timesIn(matcher: string, rest: readonly unknown[]): number | undefined {
  const [options, ...further] = rest;
  refuseFurther(matcher, further);
  if (options === undefined) return undefined;
  if (!isExpectedObject(options)) throw badTimes(matcher, `the options are ${textOf(options)}`);
  const { times, ...others } = options;
  const [other] = Object.keys(others);
  if (other !== undefined)
    throw new McpRecordError({
      code: 'OPTION_UNKNOWN',
      what: `Cannot check expect(…).${matcher}() with the option ${other}`,
      why: 'there is no option with this name',
      next: didYouMean(other, ['times'], 2) === undefined ? 'The option is times.' : 'Did you mean times?',
    });
  if (!Number.isInteger(times) || (times as number) < 0) throw badTimes(matcher, `times is ${textOf(times)}`);
  return times as number;
}

function badTimes(matcher: string, why: string): McpRecordError {
  return new McpRecordError({
    code: 'OPTION_BAD_VALUE',
    what: `Cannot check expect(…).${matcher}() with these options`,
    why,
    next: 'Give { times: 2 }, a whole number from 0.',
  });
}

/**
 * Rejects arguments that a matcher would ignore.
 * @throws McpRecordError OPTION_UNKNOWN
 */
export function refuseFurther(matcher: string, further: readonly unknown[]): void {
  const first = further.find((one) => one !== undefined);
  if (first === undefined) return;
  throw new McpRecordError({
    code: 'OPTION_UNKNOWN',
    what: `Cannot check expect(…).${matcher}() with the argument ${brief(textOf(first))}`,
    why: 'it takes no more arguments',
    next: 'See docs/vitest-reference.md for what each matcher takes.',
  });
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
