import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mockClient, mockServer, request, tool } from '../../../src/adapters/mock.ts';
import type { MemoryServer } from '../../../src/adapters/testing.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { run } from '../../support/process.ts';

type Check = () => Promise<void>;
const { __vitest_worker__: worker } = globalThis as unknown as { __vitest_worker__: { current: unknown } };
const ownTest = worker.current;
afterEach(() => {
  worker.current = ownTest;
});

/** Lets mocks believe that another test of vitest runs. Returns the checks that run at its end. */
function insideTest(more: { concurrent?: boolean; context?: object } = {}): Check[] {
  const checks: Check[] = [];
  worker.current = { context: { onTestFinished: (check: Check) => void checks.push(check) }, ...more };
  return checks;
}

/** Makes a call that no handler answers. */
async function miss(server: MemoryServer): Promise<void> {
  const peer = await sdk1Over(server.transport);
  await expect(peer.request('tools/call', { name: 'none' })).rejects.toThrow();
  await peer.close();
}

const MISS = /no handler answers a request\. \[SESSION_FELL_SHORT\]\n {2}No handler answers tools\/call "none"/;

describe('a mock whose outcome nobody reads', () => {
  it('fails the test of vitest in which it was started', async () => {
    const [check, ...others] = insideTest();
    expect([check, others]).toEqual([undefined, []]);
    const checks = insideTest();
    const server = await mockServer({ handlers: [] });
    await miss(server);
    expect(checks).toHaveLength(1);
    await expect(checks[0]!()).rejects.toThrow(
      /none"[\s\S]*read it: const \{ failures \} = await server\.finish\(\)\./,
    );
    await expect(checks[0]!()).resolves.toBeUndefined();
  });

  it('fails it also with a handler that was never called, and as a client', async () => {
    const checks = insideTest();
    await mockServer({ handlers: [tool('add', () => 3, { once: true })] });
    const { url, finish } = await mockServer({ over: 'http' });
    await mockClient({ server: { url }, handlers: [request('roots/list', () => ({ roots: [] }), { once: true })] });
    const [ofServer, , ofClient] = checks;
    await expect(ofServer!()).rejects.toThrow(/The handler of tools\/call "add" \(.*:\d+\) was never called/);
    await expect(ofClient!()).rejects.toThrow(/session of the mock client.*[\s\S]*roots\/list .* was never called/);
    await finish();
  });

  it('fails no test where it is read, or all went well', async () => {
    const checks = insideTest();
    const server = await mockServer({});
    await miss(server);
    expect((await server.finish()).failures).toHaveLength(1);
    await mockServer({});
    for (const check of checks) await expect(check()).resolves.toBeUndefined();
  });

  it('does not hide the error of the test at the end of its scope', async () => {
    const checks = insideTest();
    const scope = async () => {
      await using server = await mockServer({});
      await miss(server);
      throw new Error('the error of the test');
    };
    await expect(scope()).rejects.toThrow('the error of the test');
    await expect(checks[0]!()).rejects.toThrow(MISS);
  });

  it.each([
    ['of concurrent tests', { concurrent: true }],
    ['of a hook', { context: {} }],
    [
      'after a test',
      {
        context: {
          onTestFinished() {
            throw new Error('inside a test hook');
          },
        },
      },
    ],
  ])('is thrown at the end of the scope %s', async (_, current) => {
    const checks = insideTest(current);
    const scope = async () => {
      await using server = await mockServer({});
      await miss(server);
    };
    await expect(scope()).rejects.toThrow(MISS);
    expect(checks).toEqual([]);
  });
});

describe('a process that ends with such a mock', { timeout: 60_000 }, () => {
  const inProcess = (code: string) =>
    run({
      command: process.execPath,
      args: [
        '--input-type=module',
        '-e',
        `import { mockServer, tool } from ${JSON.stringify(join(import.meta.dirname, '../../../dist/adapters/mock.js'))};\n${code}`,
      ],
    });
  const UNCALLED = "const server = await mockServer({ handlers: [tool('add', () => 3, { once: true })] });";

  it('says what failed, and exits with 1', async () => {
    const { stderr, status } = await inProcess(`${UNCALLED}\nawait mockServer({});`);
    expect([status, stderr.match(/SESSION_FELL_SHORT/g)]).toEqual([1, ['SESSION_FELL_SHORT']]);
    expect(stderr).toMatch(
      /^mcp-record: The mock server .*\n {2}The handler of tools\/call "add" .*was never called\./,
    );
  });

  it('keeps an exit status of its own, and says nothing where the outcome was read', async () => {
    expect(await inProcess(`${UNCALLED}\nprocess.exitCode = 3;`)).toMatchObject({ status: 3 });
    expect(await inProcess(`${UNCALLED}\nawait server.finish();`)).toMatchObject({ status: 0, stderr: '' });
  });
});
