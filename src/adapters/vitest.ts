import { test as base, describe, type TestAPI, type TestContext } from 'vitest';
import type { CassetteOwner } from './claims.ts';
import { type Mcp, openMcp } from './mcp.ts';
import { serverTests } from './server-tests.ts';
import type { TestedServer, VerifyOptions } from './verify-server.ts';

export type { ConnectOptions, Mcp } from './mcp.ts';

/** vitest's `test`, with the fixture `mcp`. */
export const test: TestAPI<{ mcp: Mcp }> = base.extend<{ mcp: Mcp }>({
  mcp: async ({ task }, use) => {
    const mcp = openMcp(ownerOf(task));
    await use(mcp);
    await mcp.finish({ passed: task.result?.state !== 'fail' });
  },
}) as TestAPI<{ mcp: Mcp }>;

/**
 * A suite for a server: a test for each recorded interaction of `cassette`, played once, to the server that
 * `startServer` gives.
 */
export function testServer(
  cassette: string,
  startServer: () => TestedServer | Promise<TestedServer>,
  options?: VerifyOptions,
): void {
  describe(cassette, () => {
    for (const { title, run } of serverTests(cassette, startServer, options)) base(title, run);
  });
}

type Task = TestContext['task'];

function ownerOf(task: Task): CassetteOwner {
  return {
    file: task.file.filepath,
    names: namesOf(task),
    id: task.id,
    update: isUpdate(),
    told: (cassettes) => Object.assign(task.meta, { mcpRecord: cassettes }),
  };
}

function namesOf(task: Task): string[] {
  const names = [task.name];
  for (let suite = task.suite; suite; suite = suite.suite) names.unshift(suite.name);
  return names;
}

/** `vitest -u`. */
function isUpdate(): boolean {
  const worker = (
    globalThis as { __vitest_worker__?: { config?: { snapshotOptions?: { updateSnapshot?: string } } } }
  ).__vitest_worker__;
  return worker?.config?.snapshotOptions?.updateSnapshot === 'all';
}
