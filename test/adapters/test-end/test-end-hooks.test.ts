import { describe, expect, it } from 'vitest';
import { mockClient, mockServer, request } from '../../../src/adapters/mock.ts';
import type { MemoryServer } from '../../../src/adapters/testing.ts';
import type { ReplayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { run } from '../../support/process.ts';

/** Makes a call that no handler answers. */
async function miss(server: MemoryServer): Promise<void> {
  const peer = await sdk1Over(server.transport);
  await expect(peer.request('tools/call', { name: 'none' })).rejects.toThrow();
  await peer.close();
}

/** The finding about a wait of the journal that the test has not awaited. */
const WAIT = {
  kind: 'unawaited',
  text: expect.stringMatching(/^The test ended while it waited for tools\/list: .*\[WAIT_NOT_AWAITED\]\n.*Write await/),
};

const MISS = /no handler answers a request\. \[SESSION_FELL_SHORT\]\n {2}No handler answers tools\/call "none"/;

describe('a mock whose outcome nobody reads', () => {
  it('is thrown at the end of the scope, with a way to read it', async () => {
    const scope = async () => {
      await using server = await mockServer({});
      await miss(server);
    };
    await expect(scope()).rejects.toThrow(MISS);
    await expect(scope()).rejects.toThrow('read it: const { failures } = await server.finish().');
  });

  it('is thrown of a handler that was never called, and of a client', async () => {
    const { url, finish } = await mockServer({ over: 'http' });
    const scope = async () => {
      const once = request('roots/list', () => ({ roots: [] }), { once: true });
      await using _ = await mockClient({ server: { url }, handlers: [once] });
    };
    await expect(scope()).rejects.toThrow(/session of the mock client.*[\s\S]*roots\/list .* was never called/);
    await finish();
  });

  it('is thrown of a wait for a message that has not come, which the test did not await', async () => {
    const scope = async () => {
      await using server = await mockServer({});
      void server.journal.waitFor('tools/call').catch(() => {});
    };
    await expect(scope()).rejects.toThrow('[WAIT_NOT_AWAITED]');
  });

  it.each([
    ['in memory', {}],
    ['over HTTP', { over: 'http' }],
    ['over stdio', { over: 'stdio' }],
  ] as const)('has such a wait among the failures of finish %s', async (_, options) => {
    const server = await mockServer(options as { over: 'http' });
    const once = server.journal.waitFor('tools/call', { timeout: 1 }).catch(() => {});
    server.journal.waitFor('tools/list', { timeout: 3_600_000 });
    await once;
    const outcome = await server.finish();
    expect([outcome.failed, outcome.failures, outcome.findings]).toEqual([true, [WAIT], [WAIT]]);
    expect(await server.finish()).toBe(outcome);
  });

  it('has such a wait among the failures of a mock client', async () => {
    const server = await mockServer({ over: 'http' });
    const client = await mockClient({ server: { url: server.url } });
    client.journal.waitFor('tools/list', { timeout: 3_600_000 });
    expect((await client.finish()).failures).toEqual([WAIT]);
    expect((await server.finish()).failures).toEqual([]);
  });

  it('is thrown where finish was called during such a wait, but its outcome not read', async () => {
    const scope = async () => {
      await using server = await mockServer({});
      const wait = server.journal.waitFor('tools/call', { timeout: 1 }).catch(() => {});
      await server.finish();
      await wait;
    };
    await expect(scope()).rejects.toThrow('[WAIT_NOT_AWAITED]');
  });

  it('is not thrown where it was read', async () => {
    await using server = await mockServer({});
    await miss(server);
    expect((await server.finish()).failures).toHaveLength(1);
  });

  it.each<[name: string, read: (outcome: ReplayOutcome) => unknown]>([
    ['its outcome not read', () => {}],
    // These also have what fails nothing: a test may look for one of them, and knows nothing of the failures then.
    ['only its findings read', ({ findings }) => findings],
  ])('is thrown where finish was called, but %s', async (_, read) => {
    const scope = async () => {
      await using server = await mockServer({});
      await miss(server);
      read(await server.finish());
    };
    await expect(scope()).rejects.toThrow(MISS);
  });
});

describe('a process that ends with such a mock', () => {
  const MOCK = new URL('../../../dist/adapters/mock.js', import.meta.url).href;
  const inProcess = (code: string) =>
    run({
      command: process.execPath,
      args: ['--input-type=module', '-e', `import { mockServer, tool } from ${JSON.stringify(MOCK)};\n${code}`],
    });
  const UNCALLED = "const server = await mockServer({ handlers: [tool('add', () => 3, { once: true })] });";

  it('says what failed, and exits with 1', async () => {
    const { stderr, status } = await inProcess(`${UNCALLED}\nawait mockServer({});`);
    expect([status, stderr.match(/SESSION_FELL_SHORT/g)]).toEqual([1, ['SESSION_FELL_SHORT']]);
    expect(stderr).toMatch(
      /^mcp-record: The mock server .*\n {2}The handler of tools\/call "add" .*was never called\./,
    );
  });
});

it.each<[name: string, copy: (outcome: object) => unknown]>([
  ['a copy', (outcome) => ({ ...outcome })],
  ['its JSON', (outcome) => JSON.stringify(outcome)],
])('%s of an outcome counts as reading it: it may be compared', async (_, copy) => {
  await using server = await mockServer({});
  await miss(server);
  copy(await server.finish());
});
