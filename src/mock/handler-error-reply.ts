import { McpRecordError } from '../kernel/errors.ts';
import { isObject, type Request } from '../protocol/message.ts';
import { CLIENT_CAPABILITIES } from '../protocol/method-table.ts';
import type { ResultOrError } from '../replay/match/protocol-generation.ts';
import { type Handler, RpcFailure } from './handler.ts';
import { completeResult } from './serialize-message.ts';

export const INTERNAL_ERROR = -32603;

/**
 * Classes of errors that indicate a mistake in a handler, or a failed assertion, rather than an intended answer. They are
 * compared by name: the error may come from another realm.
 */
const MISTAKES: readonly string[] = [
  ...['TypeError', 'ReferenceError', 'SyntaxError', 'RangeError', 'McpRecordError'],
  // Assertions of Node and Chai, of Jest, and of custom matchers in Vitest.
  ...['AssertionError', 'JestAssertionError', 'JestExtendError'],
];

/** Reports whether an error is a programming mistake or a failed assertion of the test. */
export function isProgrammingError(error: Error): boolean {
  const { name, code } = error as Error & { code?: unknown };
  if (name === 'AssertionError' || code === 'ERR_ASSERTION') return true;
  // The second is what `expect` of Jest and Playwright adds. The third is a wrong use of a matcher in Jest.
  return (
    classNamesOf(error).some((one) => MISTAKES.includes(one)) ||
    'matcherResult' in error ||
    /expect\(.*Matcher error/s.test(error.message)
  );
}

/** Returns the names of an error's class and the classes above it. */
function classNamesOf(error: Error): string[] {
  const names: string[] = [];
  for (let above = Object.getPrototypeOf(error); above !== null; above = Object.getPrototypeOf(above))
    names.push(String(above.constructor?.name));
  return names;
}

/** Returns the error for `passthrough` on a mock server without a cassette. */
export function passthroughWithoutCassette(): McpRecordError {
  return new McpRecordError({
    code: 'HANDLER_NO_CASSETTE',
    what: 'Cannot pass a request through',
    why: 'this mock server has no cassette to answer it',
    next: "Return an answer, or give it a cassette: mockServer({ cassette: 'cassettes/weather.yaml', handlers }).",
  });
}

/** Returns the error for a request to a client of 2026-07-28 outside of every call. */
export function clientCannotBeAsked(method: string): McpRecordError {
  return new McpRecordError({
    code: 'MOCK_CANNOT_ASK',
    what: `Cannot ask a client of 2026-07-28 for ${method}`,
    why: 'since that revision a server asks only while it answers a request',
    next: 'Ask in a handler: tool(NAME, async (args, { ask }) => …).',
  });
}

/** Error response of a peer to a handler's request. */
export class PeerFailure extends RpcFailure {
  readonly method: string;

  constructor(method: string, { code, message, data }: RpcFailure) {
    super({ code, message, data });
    this.method = method;
  }
}

/** Returns a client's error response with its method, and the capability that the client has not declared. */
export function describedFailure(error: unknown, capabilities: unknown): unknown {
  if (!(error instanceof PeerFailure)) return error;
  const { code, data } = error;
  return new RpcFailure({ code, message: failureToAnswer(error, capabilities).message, data });
}

/**
 * Returns the error for the answer of a handler. An error response to the handler's own request loses its code, which
 * would describe the wrong request.
 * @param capabilities declared capabilities of the client; undefined if the peer is a server
 */
export function failureToAnswer(error: Error, capabilities: unknown): Error {
  if (!(error instanceof PeerFailure)) return error;
  const { method, code, message } = error;
  const needed = CLIENT_CAPABILITIES.get(method);
  const peer = needed === undefined && capabilities === undefined ? 'server' : 'client';
  const lacks = needed !== undefined && isObject(capabilities) && capabilities[needed] === undefined;
  const advice = lacks ? ` It has not declared the capability ${needed}.` : '';
  return new Error(`The ${peer} answered ${method} with an error: ${message} (${code}).${advice}`);
}

/** Call whose handler failed. */
interface FailedCall {
  handler: Handler;
  request: Request;
  isModern: boolean;
}

/**
 * Returns the answer for a handler's error: a JSON-RPC error if the error has a numeric code, otherwise the handler's
 * own conversion.
 */
export function failureReply(failure: Error, { handler, request, isModern }: FailedCall): ResultOrError {
  const { message, code, data } = failure as Error & { code?: unknown; data?: unknown };
  if (typeof code === 'number') return { error: { code, message, ...(data !== undefined && { data }) } };
  if (handler.failure) return { result: completeResult(handler.failure(failure), request.method, isModern) };
  return { error: { code: INTERNAL_ERROR, message } };
}
