import { isMainThread } from 'node:worker_threads';
import type { TestAPI, TestContext } from 'vitest';
import type { CassetteSource } from '../cassette/cassette.ts';
import { checkCassetteSource, SERVER_WITHOUT_CASSETTE } from '../cassette/check-cassette-source.ts';
import { pathOf } from '../cassette/read/load-cassette.ts';
import { loadPeer } from '../kernel/platform/optional-peer.ts';
import { type Answered, matchers, type Times } from './matchers/client-message-matchers.ts';
import type { TestedServer } from './mock-client/open-server-under-test.ts';
import { TestMcp } from './test/any-runner-fixture.ts';
import { type CassetteOwner, noteSkipped } from './test/claim-test-cassette.ts';
import { serverTests } from './test/interaction-tests.ts';
import type { Mcp } from './test/mcp-types.ts';
import { resolveCassettePath } from './test/resolve-beside-test-file.ts';
import { joinToTestError } from './test/session-failed-error.ts';
import type { VerifyOptions } from './test/verify-server.ts';
import { hasTimedOut } from './test-end/test-end-hooks.ts';
import { isVitestUpdate, vitestWorker } from './vitest-worker-global.ts';

export type { ConnectOptions, Mcp } from './test/mcp-types.ts';

const {
  describe,
  expect,
  test: base,
} = await loadPeer({
  name: 'vitest',
  versions: '^3 || ^4 || ^5',
  load: () => import('vitest'),
  what: 'Cannot load mcp-record/vitest',
});

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: all declarations of it have the same parameters
  interface Matchers<T = any> {
    /** Passes if a client has sent a request `method` whose params include `params`. */
    toHaveReceivedRequest(method: string, params?: Record<string, unknown>, options?: Times): void;
    /** Passes if a client has sent a notification `method` whose params include `params`. */
    toHaveReceivedNotification(method: string, params?: Record<string, unknown>, options?: Times): void;
    /** Passes if a client has answered a server request `method` with an answer that includes `answer`. */
    toHaveAnswered(method: string, answer?: Answered, options?: Times): void;
    /** Passes if clients sent the requests of `cassette` in order, apart from volatile values. */
    toMatchSession(cassette: string): void;
  }
}

/** vitest's `test`, with the fixture `mcp`. */
export const test: TestAPI<{ mcp: Mcp }> = base.extend<{ mcp: Mcp }>({
  mcp: async ({ task, onTestFinished }, use) => {
    expect.extend(matchers);
    const mcp = new TestMcp(ownerOf(task));
    const { length: earlier } = task.result?.errors ?? [];
    let end: { failure: unknown } | undefined;
    let areHooksOver = false;
    // Vitest terminates a fixture that throws repeatedly: twice in one attempt, or in each retry. So the failure is
    // thrown here.
    onTestFinished(() => {
      areHooksOver = true;
      if (end) throw end.failure;
    });
    await use(mcp);
    const { state, errors: all = [] } = task.result ?? {};
    const errors = all.slice(earlier);
    if (state === 'skip' || hasSkipped(task.file)) noteSkipped(task.file.filepath);
    const how = { passed: state !== 'fail' && state !== 'skip', hasTimedOut: hasTimedOut(errors) };
    await mcp.finish(how).catch((failure: unknown) => {
      // A test that skips itself has no result: its recording is kept as a failed one, and its cassette stays
      // unchanged.
      if (state !== 'skip' && !joinToTestError(errors, failure)) end = { failure };
    });
    // In an `aroundEach` hook, the fixture ends after `onTestFinished`.
    if (end && areHooksOver) throw end.failure;
  },
}) as TestAPI<{ mcp: Mcp }>;

/**
 * Defines a suite for a server: one test for each recorded interaction of `cassette`. The session is played once, to
 * the server returned by `startServer`.
 */
export function testServer(
  cassette: CassetteSource,
  startServer: () => TestedServer | Promise<TestedServer>,
  options?: VerifyOptions,
): void {
  checkCassetteSource(cassette, SERVER_WITHOUT_CASSETTE);
  const source = resolveCassettePath(cassette, testFile());
  // Called here, where the stack still has the line of the test file.
  const tests = serverTests(source, startServer, options);
  describe(pathOf(cassette), () => {
    for (const one of tests) {
      base(one.title, async ({ skip }) => {
        await one.run();
        if (one.skipped !== undefined) skip(one.skipped);
      });
    }
  });
}

type Task = TestContext['task'];
type Suite = NonNullable<Task['suite']>;

function ownerOf(task: Task): CassetteOwner {
  return {
    file: task.file.filepath,
    names: namesOf(task),
    id: task.id,
    run: task.file,
    update: isVitestUpdate(),
    // Process of Vitest itself, whose child processes or threads run the test files.
    runId: String(isMainThread ? process.ppid : process.pid),
    onCassettesUsed: (cassettes) => Object.assign(task.meta, { mcpRecord: cassettes }),
  };
}

/** Reports whether a suite has tests that do not run, because of `skip`, `only` or a filter. */
function hasSkipped({ tasks }: Suite): boolean {
  return tasks.some((task) => (task.type === 'suite' ? hasSkipped(task) : task.mode === 'skip'));
}

function namesOf(task: Task): string[] {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names;
}

/** Returns the file whose tests are being collected. */
function testFile(): string | undefined {
  return vitestWorker()?.filepath;
}
