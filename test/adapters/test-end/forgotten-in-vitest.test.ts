import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordSession } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { VitestProject } from '../vitest-project.ts';

const folder = temporaryFolder();

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
