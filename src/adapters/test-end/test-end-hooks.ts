import { messageOf } from '../../kernel/errors.ts';
import { printable } from '../../text-report/printable-text.ts';

/**
 * A check that throws an error for a problem. `passed`: whether the test has passed so far. `hasTimedOut`: whether it ran
 * into its time limit. Default: false.
 */
type Check = (passed: boolean, hasTimedOut?: boolean) => Promise<void>;

const IN_VITEST = '__vitest_worker__' in globalThis;

/** Vitest's test runner, if this process is a worker of Vitest. Such workers exit without `beforeExit`. */
const vitest = IN_VITEST ? await loadRunner().catch(() => undefined) : undefined;

async function loadRunner() {
  const { TestRunner } = await import('vitest');
  // Vitest before 4.1 has no TestRunner.
  return TestRunner ?? (await import('vitest/suite'));
}

/**
 * Runs a check when the current Vitest test has finished, after its `afterEach`. The test fails with the error of the
 * check. Does nothing in `beforeAll`, and in concurrent tests, where Vitest cannot tell the current test. Returns
 * whether the check will run.
 */
export function checkAtEndOfTest(check: Check): boolean {
  const test = vitest?.getCurrentTest();
  if (test?.type !== 'test' || test.concurrent) return false;
  test.context.onTestFinished(() => check(test.result?.state !== 'fail', hasTimedOut(test.result?.errors)));
  return true;
}

/** Reports whether one of the errors of a Vitest test says that the test ran into its time limit. */
export function hasTimedOut(errors: readonly { message: string }[] = []): boolean {
  return errors.some(({ message }) => /timed out in \d+ms/.test(message));
}

/**
 * Returns the running Vitest test, and the number of its attempt. Undefined outside of Vitest, or if Vitest cannot tell
 * the current test.
 */
export function currentTry(): { test: string; number: string } | undefined {
  const test = vitest?.getCurrentTest();
  if (test?.type !== 'test' || test.concurrent) return undefined;
  const { retryCount = 0, repeatCount = 0 } = test.result ?? {};
  return { test: test.id, number: `${repeatCount}.${retryCount}` };
}

const checks = new Set<Check>();
let isListening = false;

/**
 * Runs a check when the process has nothing left to do. An error of the check is written to standard error, and sets
 * the exit status to 1. The returned function cancels the check.
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
      await check(true);
    } catch (error) {
      failProcess(error);
    }
  }
}

function failProcess(error: unknown): void {
  const lines = messageOf(error).split('\n').map(printable);
  console.error(`mcp-record: ${lines.join('\n')}`);
  process.exitCode ||= 1;
}

/** Returns the error about an unfinished operation. Undefined if there is no problem. */
export type Unended = () => unknown;

const unended = new Set<Unended>();
let isListeningToExit = false;

/**
 * Fails the process at exit if an operation is unfinished. This also works after `process.exit`, which skips
 * `checkAtEndOfProcess`, as with `--test-force-exit` of Node. Does nothing for a process that already fails, and for
 * workers of Vitest, which are terminated at any time. The returned function cancels the report.
 */
export function reportAtExit(error: Unended): (() => void) | undefined {
  if (IN_VITEST) return undefined;
  unended.add(error);
  if (!isListeningToExit) process.on('exit', reportUnended);
  isListeningToExit = true;
  return () => void unended.delete(error);
}

function reportUnended(code: number): void {
  if (code !== 0) return;
  for (const errorOf of unended) {
    const error = errorOf();
    if (error !== undefined) failProcess(error);
  }
}
