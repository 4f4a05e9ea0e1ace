import { messageOf } from '../../kernel/errors.ts';
import { printable } from '../../text-report/printable-text.ts';

/** A check that throws what is wrong. */
type Check = () => Promise<void>;

/** What vitest says of a test that runs. */
interface RunningTest {
  concurrent?: boolean;
  context?: { onTestFinished?(check: Check): void };
}

/**
 * Runs a check at the end of the test that runs now, after its hooks, so that what the check throws fails this test. Vitest alone says which test runs, and
 * does not for concurrent ones. Returns false where no test is known.
 */
export function checkAtEndOfTest(check: Check): boolean {
  const { __vitest_worker__: worker } = globalThis as { __vitest_worker__?: { current?: RunningTest } };
  const { concurrent = false, context } = worker?.current ?? {};
  if (concurrent || context?.onTestFinished === undefined) return false;
  try {
    context.onTestFinished(check);
    return true;
  } catch {
    // The test has ended, and its last hooks run.
    return false;
  }
}

const checks = new Set<Check>();
let isListening = false;

/**
 * Runs a check when the process has nothing left to do. What the check throws goes to standard error, and makes the exit status 1. The returned function
 * takes the check back.
 */
export function checkAtEndOfProcess(check: Check): () => void {
  checks.add(check);
  if (!isListening) process.on('beforeExit', () => void runChecks());
  isListening = true;
  return () => void checks.delete(check);
}

async function runChecks(): Promise<void> {
  for (const check of checks) {
    checks.delete(check);
    try {
      await check();
    } catch (error) {
      const lines = messageOf(error).split('\n').map(printable);
      console.error(`mcp-record: ${lines.join('\n')}`);
      process.exitCode ||= 1;
    }
  }
}
