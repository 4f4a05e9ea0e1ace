import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/cassette.ts';
import { VitestProject } from './vitest-project.ts';

const folder = temporaryFolder();

describe('a test with a mock server', () => {
  it('names what its time limit waited for, and blames nothing that a failed expect has left', async () => {
    const project = new VitestProject(
      folder,
      `import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { mockServer, tool } from 'mcp-record/mock';
const asks = tool('weather', async (_, { elicit }) => ({ content: [{ type: 'text', text: (await elicit({
  message: 'Where?', requestedSchema: { type: 'object', properties: {} } })).action }] }));
const asked = async (mcp, handler) => {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => new Promise(() => {}));
  await client.connect((await mcp.server({ handlers: [handler] })).transport);
  return client;
};
test('elicitation', async ({ mcp }) => void (await weather(await asked(mcp, asks))), 500);
test('handler', async ({ mcp }) => void (await weather(await asked(mcp, tool('weather', () => new Promise(() => {}))))), 500);
test('other', async ({ mcp }) => {
  weather(await asked(mcp, tool('weather', () => new Promise(() => {})))).catch(() => {});
  expect(1).toBe(2);
});
const stalled = async (mcp) => {
  const faults = ['duplicate:initialize', 'stall:tools/call'];
  const client = new Client({ name: 'test', version: '1' });
  await client.connect((await mcp.server({ handlers: [tool('weather', () => 'sunny')], faults })).transport);
  return client;
};
test('stalled', async ({ mcp }) => void (await weather(await stalled(mcp))), 500);
test('without a fixture', async () => {
  const { transport } = await mockServer({ handlers: [tool('weather', () => 'sunny')], faults: ['half-close:tools/call'] });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  await weather(client);
}, 500);
test('other fault', async ({ mcp }) => {
  weather(await stalled(mcp)).catch(() => {});
  expect(1).toBe(2);
});
`,
    );
    const said = async (name: string) => (await project.run('none', '-t', name)).said;
    const elicitation = await said('elicitation');
    expect(elicitation).toContain('Test timed out in 500ms');
    expect(elicitation).toContain("still waits for the client's answer to elicitation/create");
    const handler = await said('handler');
    expect(handler).toContain('Test timed out in 500ms');
    expect(handler).toContain("If it is silent on purpose, the client needs a timeout that is shorter than the test's");
    const stalled = await said('stalled');
    expect(stalled).toContain('Test timed out in 500ms');
    const faults = 'duplicate on message 1 of the server (initialize), stall on message 2 of the server (tools/call)';
    expect(stalled).toContain(
      `mcp-record: the test ran into its time limit after these faults: ${faults}. If it waits`,
    );
    const plain = await said('without a fixture');
    expect(plain).toContain('Test timed out in 500ms');
    expect(plain.match(/time limit after these faults: half-close on message 2 of the server/g)).toHaveLength(1);
    const other = await said('other');
    expect(other.match(/expected 1 to be 2/g)?.length).toBeGreaterThan(1);
    expect(other).not.toMatch(/McpRecordError|ran into its time limit/);
  });

  it('fails where it started a mock whose failures nobody read, and only then', async () => {
    const project = new VitestProject(
      folder,
      `import { afterEach, beforeEach } from 'vitest';
import { mockServer, tool } from 'mcp-record/mock';
const uncalled = () => mockServer({ handlers: [tool('add', () => 3, { once: true })] });
test('made by the test', async () => void (await uncalled()));
test('read', async () => expect((await (await uncalled()).finish()).failures).toHaveLength(1));
test.concurrent('concurrent', async () => void (await uncalled()));
let mock;
beforeEach(async ({ task }) => {
  if (task.name.startsWith('hooks')) mock = await uncalled();
});
afterEach(async ({ task }) => {
  if (task.name === 'hooks that read') (await mock.finish()).failures;
});
test('hooks that read', () => {});
test('hooks that do not read', () => {});
`,
    );
    const { status, said } = await project.run(undefined, '--reporter=verbose');
    const failed = [...said.matchAll(/[×✗] .*weather\.test\.js > (.*?) \d+ms/g)].map(([, title]) => title);
    expect([status, failed]).toEqual([1, ['made by the test', 'hooks that do not read']]);
    expect(said).toMatch(/SESSION_FELL_SHORT\]\s+The handler of tools\/call "add" .*was never called/);
    expect(said).not.toContain('deprecated');
  });
});
