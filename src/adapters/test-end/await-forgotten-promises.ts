import { isError, McpRecordError } from '../../kernel/errors.ts';
import { checkAtEndOfTest, reportAtExit } from './test-end-hooks.ts';

/**
 * A promise that notes whether it was awaited. As a subclass of `Promise`, its `then` is called by `await`, `then` and
 * `catch`.
 */
class NotedPromise<Value> extends Promise<Value> {
  isAwaited = false;

  // biome-ignore lint/suspicious/noThenProperty: that it is called is what counts
  override then<Kept = Value, Caught = never>(
    onKept?: ((value: Value) => Kept | PromiseLike<Kept>) | null,
    onCaught?: ((error: unknown) => Caught | PromiseLike<Caught>) | null,
  ): Promise<Kept | Caught> {
    this.isAwaited = true;
    return super.then(onKept, onCaught);
  }

  /** Promises derived from this one are plain promises. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }
}

/** Promises given to a test, which must await them. Otherwise the test would not notice their failures. */
export class PromisesOfTest {
  readonly #given: NotedPromise<unknown>[] = [];

  /** Number of promises given to the test. */
  get count(): number {
    return this.#given.length;
  }

  /** Wraps a promise for the test. */
  give<Value>(promise: Promise<Value>): Promise<Value> {
    const noted = notedPromise(promise);
    this.#given.push(noted);
    return noted;
  }

  /** Waits for all promises that the test did not await. Returns the error of the first failed one. */
  async failure(): Promise<{ error: unknown } | undefined> {
    const forgotten = this.#given.filter(({ isAwaited }) => !isAwaited);
    const settled = await Promise.allSettled(forgotten);
    const failed = settled.find(({ status }) => status === 'rejected');
    return failed && { error: (failed as PromiseRejectedResult).reason };
  }
}

/**
 * Wraps the promise of an API function for a test. If the test does not await the promise, the end of the test waits
 * for it and fails with its error. Outside of Vitest the end of the test is unknown: Node then reports an unhandled
 * rejection, and a process that exits before the promise settles fails.
 */
export function awaitAtEndOfTest<Value>(promise: Promise<Value>, name: string): Promise<Value> {
  const given = new PromisesOfTest();
  const isChecked = checkAtEndOfTest(async () => {
    const failed = await given.failure();
    if (failed) throw failed.error;
  });
  return isChecked ? given.give(promise) : settledBeforeExit(promise, name);
}

function settledBeforeExit<Value>(promise: Promise<Value>, name: string): Promise<Value> {
  let failed: { error: unknown } | undefined;
  const takeBack = reportAtExit(() => {
    if (failed === undefined) return notEnded(name);
    return noted.isAwaited ? undefined : failed.error;
  });
  if (takeBack === undefined) return promise;
  const noted = new NotedPromise<Value>((resolve, reject) => {
    promise.then(
      (value) => {
        takeBack();
        resolve(value);
      },
      (error) => {
        failed = { error };
        reject(error);
      },
    );
  });
  return noted;
}

function notEnded(name: string): McpRecordError {
  return new McpRecordError({
    code: 'SESSION_UNCHECKED',
    what: `Cannot tell how ${name} ends`,
    why: 'the process has ended before, and nobody waits for it',
    next: `Return it from the test, or await it: await ${name}(…).`,
  });
}

/**
 * Returns a promise that settles as `promise` does. Node does not report its error if nobody awaits it. The error's
 * stack ends with the place in the test that called the API function.
 */
function notedPromise<Value>(promise: Promise<Value>): NotedPromise<Value> {
  const withCallSite = callSiteOf(notedPromise);
  const noted = new NotedPromise<Value>((resolve, reject) => {
    promise.then(resolve, (error: unknown) => reject(withCallSite(error)));
  });
  Promise.prototype.then.call(noted, undefined, () => {});
  return noted;
}

/**
 * Returns a function that appends the frames of the present call of `called` to the stack of a later error, without
 * duplicates. A later stack does not include the test, whose line runners and CI systems show.
 */
// biome-ignore lint/complexity/noBannedTypes: as captureStackTrace takes it
export function callSiteOf(called: Function): <Thrown>(error: Thrown) => Thrown {
  const got: { stack?: string } = {};
  Error.captureStackTrace(got, called);
  const [, ...frames] = (got.stack ?? '').split('\n');
  return (error) => {
    if (!(isError(error) && error.stack)) return error;
    const own = error.stack.split('\n');
    error.stack = [...own, ...frames.filter((line) => !own.includes(line))].join('\n');
    return error;
  };
}
