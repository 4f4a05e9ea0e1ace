import { type Context, createContext, Script } from 'node:vm';
import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { textOf, usesMatchers } from './partial-match.ts';

const TIMEOUT: Milliseconds = 1_000;

/**
 * Runs a comparison with a test's expectation. A regular expression that backtracks, and a matcher that never returns, are stopped after
 * one second. An expectation of plain values runs without a limit, which is faster.
 * @throws McpRecordError JOURNAL_MATCH_TIMED_OUT
 */
export function matchInTime<Result>(wanted: unknown, compare: () => Result): Result {
  if (!usesMatchers(wanted)) return compare();
  vm ??= { script: new Script('compare()'), context: createContext({}) };
  const { script, context } = vm;
  context.compare = compare;
  try {
    // V8 interrupts all code that the script calls, regular expressions included.
    return script.runInContext(context, { timeout: TIMEOUT });
  } catch (error) {
    throw isTimeout(error) ? timedOut(wanted) : error;
  } finally {
    context.compare = undefined;
  }
}

let vm: { script: Script; context: Context } | undefined;

/** Reports whether the script was stopped. Its error comes from the other realm, so `instanceof` fails. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function timedOut(wanted: unknown): McpRecordError {
  return new McpRecordError({
    code: 'JOURNAL_MATCH_TIMED_OUT',
    what: `Cannot look for ${textOf(wanted)} in the journal`,
    why: `the comparison with the messages that came had not ended after ${TIMEOUT} ms`,
    next: 'Rewrite an expression that repeats a repetition, such as (a+)+. A matcher must return at once.',
  });
}
