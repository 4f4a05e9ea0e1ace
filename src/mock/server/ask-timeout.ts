import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { isObject } from '../../protocol/message.ts';
import { LISTEN } from '../../protocol/method-table.ts';

/** Options of a request to the peer. */
export interface AskOptions {
  /** Maximum wait for the answer. `Infinity` waits forever. Default: 4,000. */
  timeout?: Milliseconds;
}

/** Below the 5,000 ms that test runners allow a test. A longer wait would never say which answer is missing. */
const TIMEOUT: Milliseconds = 4_000;

/** A request that waits for its answer. */
export interface TimedRequest {
  clock: Clock;
  /** The side that has to answer. */
  peer: 'client' | 'server';
  method: string;
  options: AskOptions;
  /** Aborts the request. */
  signal?: AbortSignal | undefined;
}

/**
 * Sends a request by `ask`, and aborts its signal after the timeout (2025-11-25, "Timeouts"). A subscription, which has
 * no answer, has no timeout.
 * @throws McpRecordError MOCK_BAD_TIMEOUT, MOCK_NO_ANSWER
 */
export async function askWithTimeout<Value>(
  request: TimedRequest,
  ask: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { clock, method, signal } = request;
  const timeout = timeoutOf(request);
  const limit = new AbortController();
  const abort = () => limit.abort(signal?.reason);
  if (signal?.aborted) abort();
  signal?.addEventListener('abort', abort);
  const isLimited = Number.isFinite(timeout) && method !== LISTEN;
  const stop = isLimited ? clock.after(timeout, () => limit.abort(noAnswer(request, timeout))) : () => {};
  return ask(limit.signal).finally(() => {
    stop();
    signal?.removeEventListener('abort', abort);
  });
}

function timeoutOf({ method, peer, options }: TimedRequest): Milliseconds {
  const { timeout = TIMEOUT } = options;
  const why = problemOf(options, timeout);
  if (why === undefined) return timeout;
  throw new McpRecordError({
    code: 'MOCK_BAD_TIMEOUT',
    what: `Cannot ask the ${peer} for ${method}`,
    why,
    next: `Write { timeout: 1000 } after the params, in milliseconds.`,
  });
}

function problemOf(options: unknown, timeout: unknown): string | undefined {
  if (!isObject(options)) return `the options are ${JSON.stringify(options)}`;
  const unknown = Object.keys(options).find((name) => name !== 'timeout');
  if (unknown !== undefined) return `there is no option ${unknown}`;
  return typeof timeout === 'number' && timeout >= 0 ? undefined : `the timeout is ${timeout}`;
}

function noAnswer({ method, peer }: TimedRequest, timeout: Milliseconds): McpRecordError {
  return new McpRecordError({
    code: 'MOCK_NO_ANSWER',
    what: `The ${peer} has not answered ${method} in ${timeout} ms`,
    why: 'neither a result nor an error of this request has arrived',
    next: `See what the ${peer} does with ${method}, and whether a fault withholds its answer. Or wait longer: { timeout: 10_000 } after the params.`,
  });
}

/** Reports whether an error is the timeout of an unanswered request. */
export function isNoAnswer(error: Error): error is McpRecordError {
  return error instanceof McpRecordError && error.problem.code === 'MOCK_NO_ANSWER';
}
