import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, it, vi } from 'vitest';
import { cassette, mockClient, mockServer, tool } from '../../src/adapters/mock.ts';
import { linkedTransports } from '../../src/adapters/sdk.ts';

/** What `jest.useFakeTimers()` replaces, but for `process.nextTick`, which Vitest refuses to replace in its workers. */
const FAKED = [
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'],
  ...['Date', 'performance', 'hrtime', 'queueMicrotask'],
];

/** Fakes all timers, whose time stands still then. */
function fakeAll(): void {
  vi.useFakeTimers({ toFake: FAKED as never });
}

afterEach(() => void vi.useRealTimers());

const weather = tool('weather', async (_, { progress, ask }) => {
  progress(1);
  return JSON.stringify(await ask('roots/list'));
});

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { roots: {} } });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
  await client.connect(transport);
  return client;
}

it('a client in memory gets its answers while all timers are fake', async () => {
  const mock = await mockServer({ handlers: [weather] });
  const client = await connected(mock.transport as Transport);
  fakeAll();
  expect(await client.callTool({ name: 'weather' })).toMatchObject({ content: [{ text: '{"roots":[]}' }] });
  await mock.journal.waitFor('tools/call');
  await client.close();
  expect((await mock.finish()).failures).toEqual([]);
});

it('a client of a cassette connects and gets its answers while all timers are fake', async () => {
  const mock = await mockServer({ cassette: cassette().calls('add', { a: 2 }).returns('5') });
  fakeAll();
  const client = await connected(mock.transport as Transport);
  expect(await client.callTool({ name: 'add', arguments: { a: 2 } })).toMatchObject({ content: [{ text: '5' }] });
  await client.close();
  expect((await mock.finish()).failures).toEqual([]);
});

it('a mock client in memory gets its answers while all timers are fake', async () => {
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool('add', {}, () => ({ content: [{ type: 'text', text: '5' }] }));
  fakeAll();
  const client = await mockClient({ server: (transport) => server.connect(transport as Transport) });
  expect(await client.request('tools/call', { name: 'add' })).toMatchObject({ content: [{ text: '5' }] });
  expect((await client.finish()).failures).toEqual([]);
});

it('linked transports carry messages while all timers are fake', async () => {
  const { client: near, server: far } = linkedTransports();
  const server = new McpServer({ name: 'test', version: '1.0.0' });
  server.registerTool('add', {}, () => ({ content: [] }));
  fakeAll();
  await server.connect(far as Transport);
  const client = await connected(near as Transport);
  expect(await client.callTool({ name: 'add' })).toEqual({ content: [] });
  await client.close();
});
