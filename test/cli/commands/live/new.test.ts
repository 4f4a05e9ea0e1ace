import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { mockServer, readMockFile } from '../../../../src/adapters/mock.ts';
import { exampleValue } from '../../../../src/contract/example-value.ts';
import { exampleMock } from '../../../../src/mock/file/mock-file-from-server.ts';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { itOnPosix } from '../../../support/on-posix.ts';
import { fixture, run } from '../../../support/process.ts';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const folder = temporaryFolder();
let files = 0;
const newFile = () => join(folder, `${files++}.mock.yaml`);

describe('mcp-record new', () => {
  itOnPosix('file modes', 'writes a file that only its owner may read', async () => {
    const file = newFile();
    await run(mcpRecord('new', '-o', file, '--', process.execPath, ...fixture('drifts.js').args));
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('reads every page, keeps braces as they are, says which schema has no example, and redacts', async () => {
    const { command, args } = fixture('pages-its-tools.js');
    const { stdout, stderr, status } = await run(mcpRecord('new', '--', command, ...args));
    expect([stderr, status]).toEqual([
      'mcp-record: No example fits the output schema of "endless": write its answer by hand.\n',
      0,
    ]);
    const file = newFile();
    writeFileSync(file, stdout);
    const server = await mockServer(readMockFile(file));
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(server.transport);
    expect(client.getServerVersion()).toEqual({ name: 'pages', version: '1.2.3' });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['plain', 'typed', 'endless', 'secret']);
    expect(tools[0]!.description).toBe('Says {{hello}}.');
    expect(tools[3]!.description).toBe('Use [redacted:github-token:1] for it.');
    await expect(client.callTool({ name: 'endless' })).rejects.toThrow('No example fits');
    const { structuredContent } = await client.callTool({ name: 'typed' });
    expect(structuredContent).toMatchObject({ note: '{{now}}', city: 'city', degrees: 1 });
    await client.close();
    await server.finish();
  });

  it('asks as a client that can do everything, keeps definitions and capabilities, and says what the mock does not', async () => {
    const { command, args } = fixture('knows-its-client.js');
    const { stdout, stderr, status } = await run(mcpRecord('new', '--', command, ...args));
    const said = [
      'The server can also do what the mock does not: tasks.',
      'Resources of templates are listed, and not read: write an answer of resources/read.',
      'The mock completes nothing: write answers of completion/complete.',
      'The mock takes subscriptions, and says of no resource that it has changed.',
    ];
    expect([stderr, status]).toEqual([said.map((one) => `mcp-record: ${one}\n`).join(''), 0]);
    for (const one of said) expect(String(stdout)).toContain(`\n# ${one}\n`);
    const file = newFile();
    writeFileSync(file, stdout);
    const server = await mockServer(readMockFile(file));
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(server.transport);
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: { subscribe: true },
      completions: {},
      logging: {},
    });
    const { tools } = await client.request({ method: 'tools/list' }, ResultSchema);
    const rest = { inputSchema: { type: 'object' }, execution: { taskSupport: 'optional' }, cost: 5 };
    const description = 'error -32603';
    const names = ['elicitation', 'roots', 'sampling'];
    expect(tools).toEqual(names.map((name) => ({ name, description, ...rest })));
    await client.subscribeResource({ uri: 'any://1' });
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'a' },
      argument: { name: 'a', value: '' },
    });
    expect(completion.values).toEqual([]);
    await client.close();
    expect(await server.finish()).toMatchObject({ failed: false });
  });

  it('asks a server of 2026-07-28, which has no handshake', async () => {
    const modern = join(root, 'test', 'e2e', 'servers', 'modern.js');
    const { stdout, stderr, status } = await run(mcpRecord('new', '--', process.execPath, modern));
    expect([stderr, status]).toEqual([expect.stringContaining('mcp-record: Resources of templates are listed'), 0]);
    expect(String(stdout)).toMatch(/^tools:\n {2}- name: /m);
  });

  it('asks a server over HTTP', async () => {
    const server = await mockServer({ ...readMockFile(join(root, 'test/fixtures/weather.mock.yaml')), over: 'http' });
    const { stdout, status } = await run(mcpRecord('new', '--http', server.url));
    expect([String(stdout), status]).toEqual([expect.stringContaining('name: forecast'), 0]);
    await server.finish();
  });

  it('writes over nothing', async () => {
    const file = newFile();
    writeFileSync(file, 'mine');
    const { command, args } = fixture('pages-its-tools.js');
    const { stderr, status } = await run(mcpRecord('new', '-o', file, '--', command, ...args));
    expect([stderr, status]).toEqual([expect.stringContaining('[USAGE_CANNOT_WRITE]'), 2]);
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it.each([
    ['a server that ends at once', ['--', process.execPath, '-e', 'process.exit(3)'], 'SERVER_NOT_LISTED'],
    ['a command that there is not', ['--', join(root, 'none')], 'COMMAND_NOT_FOUND'],
    ['no server', [], 'USAGE_ONE_SERVER'],
    ['two servers', ['--http', 'http://127.0.0.1:9/mcp', '--', 'node'], 'USAGE_ONE_SERVER'],
    ['nobody at an address', ['--http', 'http://127.0.0.1:9/mcp'], 'HTTP_UPSTREAM_UNREACHABLE'],
    ['a header without HTTP', ['--header', 'a: b', '--', 'node'], 'USAGE_OPTION_WITHOUT_MEANING'],
  ])('says what is wrong with %s', async (_, args, code) => {
    const { stdout, stderr, status } = await run(mcpRecord('new', ...args));
    expect([String(stdout), status]).toEqual(['', 2]);
    expect(stderr).toContain(`[${code}]`);
  });
});

it('names of a server do not leave the comment that they stand in', () => {
  const execution = { taskSupport: 'required' };
  const tools = [{ name: 'a\nserver: { name: b }', inputSchema: { type: 'object' }, execution }];
  const lists = { serverInfo: { name: 'real' }, tools, prompts: [], resources: [], resourceTemplates: [] };
  const { text } = exampleMock({ ...lists, capabilities: { tools: {}, 'x\ny': {} } });
  const file = newFile();
  writeFileSync(file, text);
  expect(readMockFile(file).serverInfo).toMatchObject({ name: 'real' });
});

describe('an example of a schema', () => {
  it.each([
    ['a recursive one', { type: 'object', properties: { next: { $ref: '#' } }, required: ['next'] }],
    ['one that leads elsewhere', { $ref: 'http://127.0.0.1:9/schema' }],
    ['one that nothing fits', { not: {} }],
    ['one with an expression that backtracks', { type: 'string', pattern: '^(a+)+$' }],
    ['one with a long text', { type: 'string', minLength: 1e9 }],
  ])('takes no time for %s', (_, schema) => {
    const value = exampleValue(schema);
    expect((JSON.stringify(value) ?? '').length).toBeLessThan(10_000);
  });
});
