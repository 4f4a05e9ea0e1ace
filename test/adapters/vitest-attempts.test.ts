import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { recordSession } from '../e2e/verify/session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { VitestProject } from './vitest-project.ts';

const folder = temporaryFolder();

/** Tests of which each fails at its first try for another reason. */
const TRIES = `import { tool } from 'mcp-record/mock';
import { withMcp } from 'mcp-record/testing';
const tries = {};
const isFirst = (name) => (tries[name] = (tries[name] ?? 0) + 1) === 1;
const mocked = async (mcp, handler = tool('weather', () => 'sunny')) => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.server({ handlers: [handler] })).transport);
  return client;
};
test('expect', async ({ mcp }) => {
  await weather(await connect(mcp));
  expect(isFirst('expect')).toBe(false);
});
test('finding', async ({ mcp }) => {
  const client = await mocked(mcp);
  if (isFirst('finding')) await weather({ callTool: () => client.callTool({ name: 'wether' }) }).catch(() => {});
});
test('miss', async ({ mcp }) => {
  const client = await connect(mcp, { cassette: 'drifts.yaml', mode: 'replay', onUnused: 'report', onDifference: 'report' });
  if (isFirst('miss')) await weather(client, 'Nowhere').catch(() => {});
});
test('withMcp', async () => {
  await withMcp({ file: import.meta.filename, names: ['recorded'] }, async (mcp) => weather(await connect(mcp, { mode: 'record' })));
  expect(isFirst('withMcp')).toBe(false);
});
test('time limit', { timeout: 1_000 }, async ({ mcp }) => {
  const client = await mocked(mcp, tool('weather', () => new Promise(() => {})));
  const open = weather(client);
  open.catch(() => {});
  if (isFirst('time limit')) await open;
  expect(1).toBe(2);
});
`;

it('a test that is retried is judged by what its last try did', async () => {
  const project = new VitestProject(folder, TRIES);
  await recordSession(join(project.folder, 'drifts.yaml'));
  const passing = ['-t', 'expect|finding|miss|withMcp', '--reporter=verbose'];
  const { status, said } = await project.run(undefined, '--retry=1', '--update', ...passing);
  expect([status, said]).toEqual([0, expect.stringContaining('4 passed')]);
  expect(said.match(/retry x1/g)).toHaveLength(4);
  expect(said).not.toContain('.recording.yaml');
  const once = await project.run(undefined, ...passing);
  expect([once.status, once.said]).toEqual([1, expect.stringContaining('4 failed')]);
  const limited = await project.run(undefined, '--retry=1', '-t', 'time limit');
  expect(limited.said.match(/has not answered, and the client has not cancelled/g)).toHaveLength(1);
});

it('a finding is shown once for each try, and of a fixture that a hook around the test has opened', async () => {
  const miss = `const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.server({ handlers: [] })).transport);
  await client.callTool({ name: 'none' }).catch(() => {});`;
  const project = new VitestProject(folder, `test('a miss', async ({ mcp }) => {\n  ${miss}\n});`);
  const { status, said } = await project.run('none');
  expect([status, said.match(/FAIL/g)]).toEqual([1, ['FAIL']]);
  const hook = `test.aroundEach(async (runTest, { mcp }) => {\n  await runTest();\n  ${miss}\n});`;
  project.write(`${hook}\ntest('nothing', () => {});`);
  expect(await project.run('none')).toMatchObject({ status: 1, said: expect.stringContaining('No handler answers') });
});

it('a test of a server that is retried plays the session again', async () => {
  const project = new VitestProject(folder, '');
  await recordSession(join(project.folder, 'drifts.yaml'));
  const drifts = `{ ...server, args: [...server.args, ...(starts++ === 0 ? ['changed-text'] : [])] }`;
  const tests = `import { testServer } from 'mcp-record/vitest';
let starts = 0;
testServer('drifts.yaml', () => (${drifts}));
afterAll(() => console.log(\`\${starts} starts\`));
`;
  writeFileSync(join(project.folder, 'server.test.js'), `import { afterAll } from 'vitest';\n${server(tests)}`);
  const retried = await project.run(undefined, 'server', '--retry=1');
  expect([retried.status, retried.said]).toEqual([0, expect.stringContaining('2 starts')]);
  const once = await project.run(undefined, 'server');
  expect([once.status, once.said]).toEqual([1, expect.stringContaining('1 starts')]);
});

function server(tests: string): string {
  return `const server = JSON.parse(process.env.SERVER);\n${tests}`;
}
