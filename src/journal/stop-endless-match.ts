import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { runInTime } from '../protocol/schema/run-in-time.ts';
import { textOf, usesMatchers } from './partial-match.ts';

const TIMEOUT: Milliseconds = 1_000;

/**
 * Runs a comparison with a test's expectation. A regular expression that backtracks, and a matcher that never returns, are stopped after
 * one second. An expectation of plain values runs without a limit, which is faster.
 * @throws McpRecordError JOURNAL_MATCH_TIMED_OUT
 */
export function matchInTime<Result>(wanted: unknown, compare: () => Result): Result {
  if (!usesMatchers(wanted)) return compare();
  const result = runInTime(() => ({ compared: compare() }), TIMEOUT);
  if (result === 'stopped') throw timedOut(wanted);
  return result.compared;
}

function timedOut(wanted: unknown): McpRecordError {
  return new McpRecordError({
    code: 'JOURNAL_MATCH_TIMED_OUT',
    what: `Cannot look for ${textOf(wanted)} in the journal`,
    why: `the comparison with the messages that came had not ended after ${TIMEOUT} ms`,
    next: 'Rewrite an expression that repeats a repetition, such as (a+)+. A matcher must return at once.',
  });
}
