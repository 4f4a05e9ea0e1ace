import type { Fired } from '../../faults/engine/fired-fault.ts';
import type { Journal } from '../../journal/journal.ts';
import { waitNotAwaited } from '../../journal/wait-for.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ReplayOutcome } from '../../replay/findings/replay-outcome.ts';
import { printRecordingNotes } from '../test/print-test-notes.ts';
import { notesOnFaults, sessionFailedError } from '../test/session-failed-error.ts';
import { checkAtEndOfProcess, checkAtEndOfTest, reportAtExit, type Unended } from '../test-end/test-end-hooks.ts';

/** The two ways to end a mock server or client: `finish`, which returns the outcome, and the end of its scope. */
export interface FinishOrDispose<Outcome> {
  finish(): Promise<Outcome>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface FinishOptions<Outcome> {
  /** Path of the cassette. Empty for a mock without a cassette. */
  cassette: string;
  /** Journal of the mock. A wait still open at the end was not awaited by the test. */
  journal: Pick<Journal, 'waiting'>;
  /** Ends the mock. Later calls return the same outcome. */
  finish(): Promise<Outcome>;
  /** Starts the mock anew for the next test, and returns the outcome so far. Absent for a mock that cannot be reset. */
  reset?(): Promise<Outcome>;
  /** Returns the fired faults, which are named if the test runs into its time limit. Absent: none can have fired. */
  fired?(): readonly Fired[];
  kind?: 'server' | 'client';
}

/**
 * Makes sure that failures in outcomes of `finish` and `reset` are not lost if nobody reads them. Unread failures are
 * thrown at the end of the scope, fail the Vitest test that started or reset the mock, or are printed at the end of the
 * process.
 */
export function finishOrDispose<Outcome extends ReplayOutcome>(
  options: FinishOptions<Outcome> & { reset(): Promise<Outcome> },
): FinishOrDispose<Outcome> & { reset(): Promise<Outcome> };
export function finishOrDispose<Outcome extends ReplayOutcome>(
  options: FinishOptions<Outcome>,
): FinishOrDispose<Outcome>;
export function finishOrDispose<Outcome extends ReplayOutcome>({
  cassette,
  journal,
  finish,
  reset,
  fired = () => [],
  kind = 'server',
}: FinishOptions<Outcome>): FinishOrDispose<Outcome> & { reset?(): Promise<Outcome> } {
  const failed = ({ failures }: Outcome, how: string) =>
    failures.length > 0
      ? sessionFailedError(cassette, { findings: failures, isOfClient: kind === 'client', unread: how })
      : undefined;
  /** Method of a wait that was open as the mock ended. */
  let waited: string | undefined;
  const check = (outcome: () => Promise<Outcome>, how: string, atExit: Unended): UnreadCheck =>
    unreadCheck(async (passed, hasTimedOut) => {
      const open = waited ?? journal.waiting[0];
      printRecordingNotes(notesOnFaults({ hasTimedOut }, fired()));
      const error = failed(await outcome(), how);
      if (error) throw error;
      if (passed && open !== undefined) throw waitNotAwaited(open);
    }, atExit);
  let ended: Outcome | undefined;
  const atEnd = check(finish, 'finish', () => (ended ? failed(ended, 'finish') : notFinished(cassette, kind)));
  return {
    async finish() {
      waited ??= journal.waiting[0];
      const outcome = await finish();
      ended ??= notingReads(waited === undefined ? outcome : withWait(outcome, waited), atEnd.cancel);
      return ended;
    },
    ...(reset && {
      async reset() {
        const outcome = await reset();
        if (outcome.failures.length === 0) return outcome;
        return notingReads(
          outcome,
          check(
            async () => outcome,
            'reset',
            () => failed(outcome, 'reset'),
          ).cancel,
        );
      },
    }),
    [Symbol.asyncDispose]: () => atEnd.run(true),
  };
}

/** Adds a wait that the test did not await to the failures of an outcome. */
function withWait<Outcome extends ReplayOutcome>(outcome: Outcome, method: string): Outcome {
  const finding: Finding = { kind: 'unawaited', text: waitNotAwaited(method).message };
  return {
    ...outcome,
    findings: [...outcome.findings, finding],
    failures: [...outcome.failures, finding],
    failed: true,
  };
}

interface UnreadCheck {
  /** Runs the check, unless it was cancelled or has already run. */
  run(passed: boolean, hasTimedOut?: boolean): Promise<void>;
  cancel(): void;
}

/**
 * Runs a check at the end of the current test or process, unless the check is cancelled before. `atExit` returns the
 * error for a process that exits before the check.
 */
function unreadCheck(check: (passed: boolean, hasTimedOut: boolean) => Promise<void>, atExit: Unended): UnreadCheck {
  let isOver = false;
  const run = async (passed: boolean, hasTimedOut = false) => {
    if (isOver) return;
    cancel();
    await check(passed, hasTimedOut);
  };
  const takeBack = [checkAtEndOfProcess(run), reportAtExit(atExit)];
  const cancel = () => {
    isOver = true;
    for (const one of takeBack) one?.();
  };
  checkAtEndOfTest(run);
  return { run, cancel };
}

function notFinished(cassette: string, kind: 'server' | 'client'): McpRecordError {
  return new McpRecordError({
    code: 'SESSION_UNCHECKED',
    what: `Cannot tell whether the mock ${kind}${cassette && ` of ${cassette}`} was used as it should be`,
    why: 'the process has ended, and finish was never called',
    next: `Call it at the end of the test, and read its failures: const { failures } = await ${kind}.finish().`,
  });
}

/** Members that tell of failures. `findings` is none of them: it also has what fails nothing. */
const FAILURES: ReadonlySet<unknown> = new Set<keyof ReplayOutcome>(['failed', 'failures']);

/** Returns the outcome, and calls `read` when the test reads whether it failed, or its failures. */
export function notingReads<Outcome extends ReplayOutcome>(outcome: Outcome, read: () => void): Outcome {
  return new Proxy(outcome, {
    get(target, member, receiver) {
      if (FAILURES.has(member)) read();
      return Reflect.get(target, member, receiver);
    },
  });
}

interface Finishing<Outcome extends ReplayOutcome> {
  finish(): Promise<Outcome>;
}

/**
 * Mock servers and clients whose outcome the test has read. Failures that a test has read do not fail the test again.
 */
export class ReadOutcomes {
  readonly #read = new Set<object>();

  /**
   * Notes when the test reads the outcome of a mock. Returns a function that ends the mock, and returns the outcome
   * without failures already read. If the test has not ended the mock, its open waits are left to the end of the test.
   */
  watch<Outcome extends ReplayOutcome>(mock: Finishing<Outcome>): () => Promise<Outcome> {
    const { finish } = mock;
    let isEnded = false;
    mock.finish = async () => {
      isEnded = true;
      return notingReads(await finish(), () => this.#read.add(mock));
    };
    return async () => {
      const outcome = await finish();
      if (this.#read.has(mock)) return withoutFailures(outcome);
      return isEnded ? outcome : withoutWaits(outcome);
    };
  }
}

/** Keeps findings about unfired rules, because they concern all servers of a test. */
function withoutFailures<Outcome extends ReplayOutcome>(outcome: Outcome): Outcome {
  return {
    ...outcome,
    findings: outcome.findings.filter(({ kind }) => kind === 'unfired'),
    failures: [],
    failed: false,
  };
}

function withoutWaits<Outcome extends ReplayOutcome>(outcome: Outcome): Outcome {
  const isOther = ({ kind }: Finding) => kind !== 'unawaited';
  const failures = outcome.failures.filter(isOther);
  return { ...outcome, findings: outcome.findings.filter(isOther), failures, failed: failures.length > 0 };
}
