import { messageOf } from '../../kernel/errors.ts';
import { printable } from '../../text-report/printable-text.ts';

/** A check that throws what is wrong. `passed`: the test has not failed for another reason. */
type Check = (passed: boolean) => Promise<void>;

const IN_VITEST = '__vitest_worker__' in globalThis;

/** Vitest's runner, where this process is one of its workers: those are ended without `beforeExit`. */
const vitest = IN_VITEST ? await loadRunner().catch(() => undefined) : undefined;

async function loadRunner() {
  const { TestRunner } = await import('vitest');
  // Vitest before 4.1 has no TestRunner.
  return TestRunner ?? (await import('vitest/suite'));
}

/**
 * Runs a check when the current test of Vitest has finished, after its `afterEach`; the test fails with what the check throws. Does nothing in
 * `beforeAll`, and in concurrent tests, where Vitest cannot tell which test is current. Returns whether the check will run.
 */
export function checkAtEndOfTest(check: Check): boolean {
  const test = vitest?.getCurrentTest();
  if (test?.type !== 'test' || test.concurrent) return false;
  test.context.onTestFinished(() => check(test.result?.state !== 'fail'));
  return true;
}

/** Returns which try of which test of Vitest runs now. Undefined: Vitest cannot tell, or does not run. */
export function currentTry(): { test: string; number: string } | undefined {
  const test = vitest?.getCurrentTest();
  if (test?.type !== 'test' || test.concurrent) return undefined;
  const { retryCount = 0, repeatCount = 0 } = test.result ?? {};
  return { test: test.id, number: `${repeatCount}.${retryCount}` };
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

/** Returns the error of what has not ended. Undefined: nothing is wrong. */
export type Unended = () => unknown;

const unended = new Set<Unended>();
let isListeningToExit = false;

/**
 * Fails the process at its exit with what has not ended, also where `process.exit` leaves no time for the check of `checkAtEndOfProcess`, as with
 * `--test-force-exit` of Node. A process that fails anyway is left alone. So are workers of Vitest, which are ended at any time. The returned
 * function takes it back.
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
