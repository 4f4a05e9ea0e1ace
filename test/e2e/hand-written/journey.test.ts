import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client as Client2, StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { mswEndpoint } from '../../../src/adapters/msw.ts';
import { type NockScope, nockEndpoint } from '../../../src/adapters/nock.ts';
import { replayTransport } from '../../../src/adapters/sdk.ts';
import type { ReplayOutcome } from '../../../src/replay/findings/replay-outcome.ts';
import { blocksOf } from '../../support/blocks.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const document = join(import.meta.dirname, '..', '..', '..', 'docs', 'cassette.md');
const section = readFileSync(document, 'utf8').split('## Writing one by hand')[1]!;
const cassette = join(folder, 'adder.yaml');
writeFileSync(cassette, blocksOf('docs/cassette.md', section).find(({ language }) => language === 'yaml')!.text);

const info = { name: 'test', version: '1' };
type Generation = 1 | 2;
type Started = { transport: unknown; end(): Promise<ReplayOutcome> };

const overHttp = (url: string, generation: Generation) =>
  generation === 1 ? new Http1(new URL(url)) : new Http2(new URL(url));

const URL_MOCKED = 'http://adder.test/mcp';

/** Every way to a recorded server. */
const WAYS: Record<string, (generation: Generation, file?: string) => Promise<Started>> = {
  async memory(_, file = cassette) {
    const server = await mockServer(file);
    return { transport: server.transport, end: server.finish };
  },
  async replayTransport() {
    const transport = replayTransport(cassette, { onUnused: 'fail' });
    return { transport, end: () => transport.outcome };
  },
  async stdio(generation, file = cassette) {
    const { command, args, finish } = await mockServer(file, { over: 'stdio' });
    const parameters = { command, args, stderr: 'ignore' as const };
    return { transport: generation === 1 ? new Stdio1(parameters) : new Stdio2(parameters), end: finish };
  },
  async http(generation, file = cassette) {
    const { url, finish } = await mockServer(file, { over: 'http' });
    return { transport: overHttp(url, generation), end: finish };
  },
  async MSW(generation) {
    const [{ http }, { setupServer }] = await Promise.all([import('msw2'), import('msw2/node')]);
    const mock = mswEndpoint(http, URL_MOCKED, cassette);
    const server = setupServer(mock.handler);
    server.listen();
    return {
      transport: overHttp(URL_MOCKED, generation),
      async end() {
        server.close();
        return mock.finish();
      },
    };
  },
  async nock(generation) {
    const { default: nock } = await import('nock14');
    if (!nock.isActive()) nock.activate();
    const mock = nockEndpoint<NockScope>(nock as never, URL_MOCKED, cassette);
    return {
      transport: overHttp(URL_MOCKED, generation),
      async end() {
        nock.cleanAll();
        nock.restore();
        return mock.finish();
      },
    };
  },
};

describe('the cassette that docs/cassette.md writes by hand', { timeout: 30_000 }, () => {
  it.each(Object.keys(WAYS).flatMap((way) => ([1, 2] as const).map((generation) => ({ way, generation }))))(
    'serves a client of SDK $generation over $way: it connects, lists and calls',
    async ({ way, generation }) => {
      const { transport, end } = await WAYS[way]!(generation);
      const client = generation === 1 ? new Client1(info) : new Client2(info);
      await client.connect(transport as never);
      expect(client.getServerVersion()).toMatchObject({ name: 'adder' });
      expect(client.getServerCapabilities()).toEqual({ tools: {} });
      expect(await client.listTools()).toMatchObject({
        tools: [{ name: 'add', inputSchema: { type: 'object' } }],
      });
      expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toMatchObject({
        content: [{ type: 'text', text: '3' }],
      });
      await client.close();
      const { failed, findings } = await end();
      expect(failed).toBe(false);
      expect(findings.map(({ kind, text }) => [kind, text])).toEqual([
        ['default', expect.stringContaining('adder.yaml has no initialize')],
        ['default', expect.stringContaining('adder.yaml has no tools/list')],
      ]);
    },
  );
});

it.each(['memory', 'stdio', 'http'])('a cassette of 2026-07-28 serves client 2 over %s', async (way) => {
  const modern = join(folder, 'modern.yaml');
  writeFileSync(
    modern,
    `format: mcp-record/1
transport: stdio
events:
- client: { id: 1, method: tools/call, params: { name: add, _meta: { io.modelcontextprotocol/protocolVersion: '2026-07-28' } } }
- server: { id: 1, result: { resultType: complete, content: [ { type: text, text: '3' } ] } }
`,
  );
  const { transport, end } = await WAYS[way]!(2, modern);
  const client = new Client2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(transport as never);
  expect(client.getServerCapabilities()).toEqual({ tools: {} });
  expect(await client.listTools()).toMatchObject({ tools: [{ name: 'add' }] });
  expect(await client.callTool({ name: 'add' })).toMatchObject({ content: [{ type: 'text', text: '3' }] });
  await client.close();
  expect((await end()).failed).toBe(false);
});
