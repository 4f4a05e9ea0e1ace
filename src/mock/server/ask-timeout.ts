import type { Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';

/** Options of a request to the client. */
export interface AskOptions {
  /** Maximum wait for the answer. `Infinity` waits forever. Default: 4,000. */
  timeout?: Milliseconds;
}

/** Below the 5,000 ms that test runners allow a test. A longer wait would never say which answer is missing. */
const TIMEOUT: Milliseconds = 4_000;

/**
 * Returns the timeout of a request to the client.
 * @throws McpRecordError MOCK_BAD_TIMEOUT
 */
export function checkedTimeout(method: string, options: AskOptions): Milliseconds {
  const { timeout = TIMEOUT } = options;
  const why = problemOf(options, timeout);
  if (why === undefined) return timeout;
  throw new McpRecordError({
    code: 'MOCK_BAD_TIMEOUT',
    what: `Cannot ask the client for ${method}`,
    why,
    next: `Write request('${method}', params, { timeout: 1000 }), in milliseconds.`,
  });
}

function problemOf(options: unknown, timeout: unknown): string | undefined {
  if (!isObject(options)) return `the options are ${JSON.stringify(options)}`;
  const unknown = Object.keys(options).find((name) => name !== 'timeout');
  if (unknown !== undefined) return `there is no option ${unknown}`;
  return typeof timeout === 'number' && timeout >= 0 ? undefined : `the timeout is ${timeout}`;
}

/** Returns the error for a request that the client has not answered in time. */
export function clientIsSilent(method: string, timeout: Milliseconds): McpRecordError {
  return new McpRecordError({
    code: 'MOCK_NO_ANSWER',
    what: `The client has not answered ${method} in ${timeout} ms`,
    why: 'it has received the request, and sent neither a result nor an error',
    next: `See the handler that the client registers for ${method}, or wait longer: request('${method}', params, { timeout: 10_000 }).`,
  });
}
