import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { sessionFailedError } from '../test/session-failed-error.ts';
import { checkAtEndOfProcess, checkAtEndOfTest } from './run-at-test-end.ts';

/** The two ways to end a mock server or client: `finish`, which returns the outcome, and the end of its scope. */
export interface FinishOrDispose<Outcome> {
  finish(): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Adds to `finish` what happens without a call of it: failures that nobody has read are thrown at the end of the scope, fail the test of Vitest that
 * started the mock, or are printed at the end of the process.
 */
export function finishOrDispose<Outcome extends ReplayOutcome>(
  cassette: string,
  finish: () => Promise<Outcome>,
  kind: 'server' | 'client' = 'server',
): FinishOrDispose<Outcome> {
  let isRead = false;
  const check = async () => {
    if (isRead) return;
    isRead = true;
    const { failures } = await finish();
    if (failures.length > 0)
      throw sessionFailedError(cassette, { findings: failures, isOfClient: kind === 'client', isUnread: true });
  };
  const takeBack = checkAtEndOfProcess(check);
  checkAtEndOfTest(check);
  return {
    finish() {
      isRead = true;
      takeBack();
      return finish();
    },
    async [Symbol.asyncDispose]() {
      takeBack();
      await check();
    },
  };
}
