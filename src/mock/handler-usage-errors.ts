import { McpRecordError } from '../kernel/errors.ts';

/** Errors that indicate a mistake in a handler rather than an intended answer. */
const MISTAKES = [TypeError, ReferenceError, SyntaxError, RangeError, McpRecordError];

/** Reports whether an error is a programming mistake or a failed assertion of the test. */
export function isProgrammingError(error: Error): boolean {
  const { name, code } = error as Error & { code?: unknown };
  return name === 'AssertionError' || code === 'ERR_ASSERTION' || MISTAKES.some((mistake) => error instanceof mistake);
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
