import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, vi } from 'vitest';
import { openLiveEndpoint } from '../../../src/adapters/endpoint/forward-or-record-endpoint.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { fixture } from '../../support/process.ts';

const folder = temporaryFolder();
const env = {};
const SECRET = `ghp_${'aB3dE5gH7jK9'.repeat(3)}`;
const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

describe('a test that records', () => {
  it('says what it recorded and what was redacted, in any runner', async () => {
    const said: string[] = [];
    const warn = vi.spyOn(console, 'warn').mockImplementation((text: string) => void said.push(text));
    try {
      for (const mode of ['record', 'replay'] as const) {
        const mcp = openMcp({ file: join(folder, 'redacts.test.js'), names: ['login'] });
        const client = new Client({ name: 'test', version: '1' });
        await client.connect((await mcp.connect(fixture('gives-a-token.js'), { env, mode })) as Transport);
        const { content } = await client.callTool({ name: 'login' });
        expect(content).toMatchObject([{ text: 'your token is [redacted:github-token:1]' }]);
        await client.close();
        await mcp.finish({ passed: true });
      }
    } finally {
      warn.mockRestore();
    }
    expect(said).toHaveLength(1);
    expect(said[0]!.split('\n')).toEqual([
      expect.stringMatching(/^mcp-record: .*login-.*\.yaml was recorded: 1 value is redacted \(github-token\)\.$/),
      expect.stringMatching(
        /^mcp-record: .*\.yaml:\d+ response to tools\/call "login" has \[redacted:github-token:1\] at \/result\/content\/0\/text\. .*redact: \{ allow/,
      ),
    ]);
  });

  it('says the same of an endpoint, whose client has seen the value itself', async () => {
    const cassette = join(folder, 'endpoint-redacts.yaml');
    const answer = (id: unknown) =>
      Response.json({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: SECRET }] } });
    const endpoint = openLiveEndpoint({
      url: 'http://mock.test/mcp',
      cassette,
      mode: 'record',
      send: async (request) => answer(((await request.json()) as { id: unknown }).id),
    });
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'login' } };
    const given = await endpoint.fetch(
      new Request('http://mock.test/mcp', {
        method: 'POST',
        body: JSON.stringify(body),
        headers: JSON_HEADERS,
      }),
    );
    expect(await given.text()).toContain(SECRET);
    const { notes, redacted } = endpoint.finish();
    expect(redacted).toMatchObject([{ kind: 'github-token', where: 'response to tools/call "login"' }]);
    expect(notes).toEqual([
      `${cassette} was recorded: 1 value is redacted (github-token).`,
      expect.stringContaining('The client was given the value itself: on replay it is the placeholder.'),
    ]);
  });
});

it('a test notes that its rules leave nothing of the arguments of a tool to compare, once', async () => {
  const said: string[] = [];
  const warn = vi.spyOn(console, 'warn').mockImplementation((text: string) => void said.push(text));
  const read = (path: string) => ({
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'read', arguments: { path } },
  });
  const answer = { jsonrpc: '2.0', result: { content: [] } };
  const events = ['/srv/tea', '/srv/milk'].flatMap((path, id) => [
    { client: { ...read(path), id } },
    { server: { ...answer, id } },
  ]);
  const file = join(folder, 'read.yaml');
  writeFileSync(file, JSON.stringify({ format: 'mcp-record/1', events }));
  try {
    const mcp = openMcp({ file: join(folder, 'reads.test.js'), names: ['reads'] });
    const { transport } = await mcp.server(file, { ignore: ['/params/arguments/path'] });
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport as Transport);
    for (const path of ['/etc/passwd', '/etc/hosts']) await client.callTool({ name: 'read', arguments: { path } });
    await client.close();
    await mcp.finish({ passed: true });
  } finally {
    warn.mockRestore();
  }
  expect(said.filter((text) => text.includes('leave nothing of the arguments of tools/call "read"'))).toHaveLength(1);
});
