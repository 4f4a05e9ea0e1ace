import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../support/cassette.ts';
import { mcpRecord } from '../../../support/command.ts';
import { Running, run } from '../../../support/process.ts';

const folder = temporaryFolder();
let files = 0;

const mockOf = (...names: string[]) =>
  JSON.stringify({
    format: 'mcp-record-mock/1',
    tools: names.map((name) => ({ name, answers: [{ returns: `I am ${name}.`, delay: 1 }] })),
  });
function fileOf(text: string): string {
  const file = join(folder, `${files++}.mock.yaml`);
  writeFileSync(file, text);
  return file;
}
const lines = (...messages: object[]) =>
  messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('');
/** The handshake of a client. */
const OPENING = lines(
  {
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  },
  { method: 'notifications/initialized' },
);
const call = (id: number, name: string) => ({ id, method: 'tools/call', params: { name } });

describe('mcp-record mock, over stdio', () => {
  it('answers what was asked before the end of its input, also what takes a while', async () => {
    const { stdout, stderr, status } = await run(
      mcpRecord('mock', fileOf(mockOf('one', 'two'))),
      OPENING + lines(call(1, 'one'), call(2, 'two')),
    );
    expect(String(stdout).replace(/^.+"serverInfo".+\n/, '')).toBe(
      lines(
        { id: 1, result: { content: [{ type: 'text', text: 'I am one.' }] } },
        { id: 2, result: { content: [{ type: 'text', text: 'I am two.' }] } },
      ),
    );
    expect([stderr, status]).toEqual(['', 0]);
  });

  it('exits with 1 after a call that it has no answer to, and says what it has', async () => {
    const { stderr, status } = await run(mcpRecord('mock', fileOf(mockOf('three'))), OPENING + lines(call(1, 'thre')));
    expect([stderr, status]).toEqual(['mcp-record: No handler answers tools/call "thre": did you mean "three"?\n', 1]);
  });

  it('says at the end which rules of the protocol the client has broken', async () => {
    const said = OPENING + lines(call(1, 'one'), call(1, 'one'));
    const { stderr, status } = await run(mcpRecord('mock', fileOf(mockOf('one'))), said);
    const text =
      'mcp-record: The client sent tools/call "one", which the specification does not allow: the id 1 was used before [id-unique]\n';
    expect([stderr, status]).toEqual([expect.stringContaining(text), 0]);
  });

  it('exits with 1 after a mistake of the client in the protocol, with --on-difference fail', async () => {
    const mock = (...options: string[]) => mcpRecord('mock', ...options, fileOf(mockOf('one')));
    const twice = OPENING + lines(call(1, 'one'), call(1, 'one'));
    const statusOf = async (said: string, ...options: string[]) => (await run(mock(...options), said)).status;
    expect(await statusOf(twice, '--on-difference', 'fail')).toBe(1);
    expect(await statusOf(twice, '--on-difference', 'report')).toBe(0);
    expect(await statusOf(OPENING + lines(call(1, 'one')), '--on-difference', 'fail')).toBe(0);
    const { stderr, status } = await run(mock('--on-difference', 'maybe'));
    expect([status, stderr]).toEqual([2, expect.stringContaining('[USAGE_BAD_ON_DIFFERENCE]')]);
  });

  it('exits with 1 after a line that is no message', async () => {
    const { stderr, status } = await run(mcpRecord('mock', fileOf(mockOf('one'))), 'hello\n');
    expect([stderr, status]).toEqual(['mcp-record: A line of the client is no message: hello\n', 1]);
  });

  it('serves the client of an SDK, which ends it', async () => {
    const transport = new StdioClientTransport(mcpRecord('mock', fileOf(mockOf('one'))));
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(transport);
    expect((await client.listTools()).tools).toMatchObject([{ name: 'one' }]);
    await client.close();
  });

  it.each([
    ['that is not there', () => join(folder, 'none.yaml'), 'MOCK_FILE_UNREADABLE'],
    ['with an unknown key', () => fileOf('format: mcp-record-mock/1\ntool: []\n'), 'MOCK_FILE_BAD'],
    ['that is a cassette', () => fileOf('format: mcp-record/1\nevents: []\n'), 'MOCK_FILE_BAD'],
  ])('does not start with a file %s', async (_, make, code) => {
    const { stdout, stderr, status } = await run(mcpRecord('mock', make()));
    expect([String(stdout), status]).toEqual(['', 2]);
    expect(stderr).toContain(`[${code}]`);
  });

  it('has no address to listen on', async () => {
    const { stderr, status } = await run(mcpRecord('mock', '--listen', '127.0.0.1:0', fileOf(mockOf('one'))));
    expect([status, stderr]).toEqual([2, expect.stringContaining('[USAGE_OPTION_WITHOUT_MEANING]')]);
  });
});

describe('mcp-record mock, over HTTP', () => {
  const listening = async (server: Running) => /listening on (\S+)/.exec(await server.line(server.child.stderr))![1]!;

  it('reads its file again when it changes, and tells clients of its new tools', async () => {
    const file = fileOf(mockOf('one'));
    await using server = new Running(mcpRecord('mock', '--http', file));
    const client = new Client({ name: 'test', version: '1.0.0' });
    const changed = new Promise((resolve) => client.setNotificationHandler(ToolListChangedNotificationSchema, resolve));
    await client.connect(new StreamableHTTPClientTransport(new URL(await listening(server))));
    expect((await client.listTools()).tools).toMatchObject([{ name: 'one' }]);

    writeFileSync(file, mockOf('one', 'two'));
    expect(await server.line(server.child.stderr)).toBe(`mcp-record: read ${file} again`);
    await changed;
    expect((await client.listTools()).tools).toMatchObject([{ name: 'one' }, { name: 'two' }]);

    writeFileSync(file, 'tools: [');
    expect(await server.line(server.child.stderr)).toContain(`Cannot read the mock ${file}`);
    expect(await client.callTool({ name: 'two' })).toEqual({ content: [{ type: 'text', text: 'I am two.' }] });
    await client.close();
  });

  it('ends with status 0 on SIGTERM', async () => {
    await using server = new Running(mcpRecord('mock', '--http', fileOf(mockOf('one'))));
    await listening(server);
    server.signal('SIGTERM');
    expect((await server.read().ended).status).toBe(0);
  });

  it('says so where the port is taken', async () => {
    const file = fileOf(mockOf('one'));
    await using server = new Running(mcpRecord('mock', '--http', file));
    const { host } = new URL(await listening(server));
    const { stderr, status } = await run(mcpRecord('mock', '--http', '--listen', host, file));
    expect(stderr).toMatch(/\[[A-Z_]+\]/);
    expect(stderr).not.toMatch(/^\s+at /m);
    expect(status).toBe(2);
  });
});
