import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { awaitAtEndOfTest, PromisesOfTest } from '../../../src/adapters/test-end/await-forgotten-promises.ts';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { VitestProject } from '../vitest-project.ts';

const folder = temporaryFolder();
const WRONG = new Error('the server is wrong');

describe('the promises of a test', () => {
  it('fail it where it has awaited none', async () => {
    const promises = new PromisesOfTest();
    let reject = (_error: Error) => {};
    void promises.give(Promise.resolve('fine'));
    void promises.give(
      new Promise<void>((_, later) => {
        reject = later;
      }),
    );
    const failure = promises.failure();
    reject(WRONG);
    expect(await failure).toEqual({ error: WRONG });
  });

  it('do not fail it where it has awaited them, or handled their error', async () => {
    const promises = new PromisesOfTest();
    expect(await promises.give(Promise.resolve('fine'))).toBe('fine');
    await expect(promises.give(Promise.reject(WRONG))).rejects.toThrow(WRONG);
    expect(await promises.give(Promise.reject(WRONG)).catch((error: unknown) => error)).toBe(WRONG);
    const later = promises.give(Promise.reject(WRONG));
    await expect(later).rejects.toBe(WRONG);
    expect(await promises.failure()).toBeUndefined();
  });

  it('have the place in the test that got them in the stack of their error', async () => {
    const promises = new PromisesOfTest();
    const error = new Error('from afar');
    error.stack = 'Error: from afar\n    at afar (afar.js:1:1)';
    const stack = await promises.give(Promise.reject(error)).catch(({ stack }: Error) => stack);
    expect(stack).toMatch(/^Error: from afar\n {4}at afar \(afar\.js:1:1\)\n[\s\S]*await-forgotten-promises\.test\.ts/);
    expect(await promises.give(Promise.reject('no error')).catch((thrown: unknown) => thrown)).toBe('no error');
  });
});

it('a promise that the test awaits is awaited once', async () => {
  await expect(awaitAtEndOfTest(Promise.reject(WRONG), 'it')).rejects.toThrow(WRONG);
  expect(await awaitAtEndOfTest(Promise.resolve(3), 'it')).toBe(3);
});

test.concurrent('a promise in a concurrent test is the same one: the end of this test is unknown', () => {
  const promise = Promise.resolve();
  expect(awaitAtEndOfTest(promise, 'it')).toBe(promise);
});

const forgetting = (tape: string) => `import { test as plain } from 'vitest';
import { mockClient, mockServer } from 'mcp-record/mock';
import { verifyServer, withMcp } from 'mcp-record/testing';
const tape = ${JSON.stringify(tape)};
test('the fixture', ({ mcp }) => void mcp.client(tape, server));
plain('verifyServer', () => void verifyServer(tape, server));
plain('withMcp', () => void withMcp({ file: import.meta.filename, names: ['x'] }, (mcp) => mcp.client(tape, server)));
const ends = { command: process.execPath, args: ['-e', 'process.exit(3)'] };
plain('mockClient', () => void mockClient({ server: ends }));
const waiting = async () => {
  const { journal } = await mockServer();
  journal.waitFor('tools/call').catch(() => {});
};
plain('a wait', waiting);
plain('a wait in a test that fails', async () => {
  await waiting();
  throw new Error('its own reason');
});
plain('handled', async () => {
  await expect(verifyServer(tape, server)).rejects.toThrow('SESSION_DIFFERS');
});
`;

it('Vitest fails each test that forgets to await a verification, and no test that handles its error', async () => {
  const tape = join(folder, 'drifts.yaml');
  await recordSession(tape);
  const project = new VitestProject(folder, forgetting(tape));
  const { status, said } = await project.run('changed-text');
  expect(said).toMatch(/Tests {2}6 failed \| 1 passed \(7\)/);
  for (const name of ['the fixture', 'verifyServer', 'withMcp', 'mockClient'])
    expect(said).toMatch(new RegExp(`FAIL .*weather\\.test\\.js > ${name}`));
  expect(said.match(/FAIL .*a wait[\s\S]*?WAIT_NOT_AWAITED/)).not.toBeNull();
  expect(said.match(/\[WAIT_NOT_AWAITED\]/g)).toHaveLength(1);
  expect(said).not.toContain('Unhandled');
  expect(status).toBe(1);
  const right = await project.run(undefined, '-t', 'fixture|verifyServer|withMcp');
  expect(right).toMatchObject({ status: 0 });
});
