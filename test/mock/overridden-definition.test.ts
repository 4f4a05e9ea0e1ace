import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type HttpOptions, mockServer, prompt, readMockFile, resource, tool } from '../../src/adapters/mock.ts';
import type { Peer } from '../e2e/session/peer.ts';
import { sdk1Over } from '../e2e/session/sdk-1.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { connectTo, WAYS } from './clients.ts';
import { controlled } from './control/controlled.ts';

const free = freeNames(temporaryFolder());
const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const outputSchema = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };
const described = { title: 'Weather', description: 'The weather of a city.' };
const FILE = `format: mcp-record-mock/1
tools:
- name: weather
  description: The weather of a city.
  inputSchema: ${JSON.stringify(inputSchema)}
  answers:
  - returns: Rain.
`;
const call = (peer: Peer, args: object) =>
  peer.request('tools/call', { name: 'weather', arguments: args }) as Promise<Record<string, unknown>>;
const toolsOf = async (peer: Peer) => ((await peer.request('tools/list')) as { tools: object[] }).tools;
const REFUSED = { isError: true, content: [{ text: expect.stringContaining("must have required property 'city'") }] };

it('a handler keeps the definition of the one that it overrides, but for what it gives itself', async () => {
  const server = await mockServer({
    handlers: [
      tool('weather', () => 'Rain.', { ...described, inputSchema }),
      resource('file:///a', () => 'a', { name: 'A', description: 'An A.', mimeType: 'text/plain' }),
      prompt('greet', () => 'Hi.', { description: 'Greets.', arguments: [{ name: 'who', required: true }] }),
    ],
  });
  server.use(
    tool('weather', () => 'Snow.', { title: 'Other' }),
    resource('file:///a', () => 'other'),
    prompt('greet', () => 'Hello.'),
  );
  const peer = await sdk1Over(server.transport);
  expect(await toolsOf(peer)).toEqual([{ name: 'weather', ...described, title: 'Other', inputSchema }]);
  expect(await peer.request('resources/list')).toEqual({
    resources: [{ uri: 'file:///a', name: 'A', description: 'An A.', mimeType: 'text/plain' }],
  });
  expect(await peer.request('prompts/list')).toMatchObject({
    prompts: [{ name: 'greet', description: 'Greets.', arguments: [{ name: 'who', required: true }] }],
  });
  expect(await call(peer, {})).toMatchObject(REFUSED);
  expect(await call(peer, { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Snow.' }] });
  await expect(peer.request('prompts/get', { name: 'greet' })).rejects.toThrow('who is required');
  await peer.request('resources/read', { uri: 'file:///a' });
  await peer.close();
  expect((await server.finish()).failures.filter(({ kind }) => kind === 'thrown')).toEqual([]);
});

it('the schema of an override counts in place of the overridden one', async () => {
  const own = { type: 'object', properties: { town: { type: 'string' } }, required: ['town'] };
  const server = await mockServer({ handlers: [tool('weather', () => 'Rain.', { inputSchema })] });
  server.use(tool('weather', () => 'Snow.', { inputSchema: own }));
  const peer = await sdk1Over(server.transport);
  expect(await toolsOf(peer)).toEqual([{ name: 'weather', inputSchema: own }]);
  expect(await call(peer, { town: 'Oslo' })).toMatchObject({ content: [{ text: 'Snow.' }] });
  await peer.close();
  expect(await server.finish()).toMatchObject({ failed: false, findings: [] });
});

it('an override that returns what the overridden outputSchema forbids fails the test', async () => {
  const server = await mockServer({ handlers: [tool('weather', () => ({ degrees: 1 }), { outputSchema })] });
  server.use(tool('weather', () => 'Snow.'));
  const peer = await sdk1Over(server.transport);
  await call(peer, {}).catch(() => {});
  await peer.close();
  expect((await server.finish()).failures).toMatchObject([
    { kind: 'thrown', text: expect.stringContaining('no structured content, which its outputSchema describes') },
  ]);
});

it('a tool without a schema anywhere takes any object', async () => {
  const server = await mockServer({ handlers: [tool('weather', () => 'Rain.')] });
  server.use(tool('weather', () => 'Snow.'));
  const peer = await sdk1Over(server.transport);
  expect(await toolsOf(peer)).toEqual([{ name: 'weather', inputSchema: { type: 'object' } }]);
  await call(peer, {});
  await peer.close();
  expect(await server.finish()).toMatchObject({ failed: false, findings: [] });
});

it('an override of a file in code, and over the control API, keeps the definition of the file', async () => {
  const tools = [{ name: 'weather', description: described.description, inputSchema }];
  const { api, connect } = await controlled(free(), { text: FILE, isMockFile: true });
  await api('PUT /handlers', { handlers: [{ tool: 'weather', returns: 'Snow.' }] });
  const remote = await connect();
  expect(await toolsOf(remote)).toEqual(tools);
  expect(await call(remote, {})).toMatchObject(REFUSED);
  expect(await call(remote, { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Snow.' }] });
  const file = free();
  writeFileSync(file, FILE);
  const server = await mockServer(readMockFile(file));
  server.use(tool('weather', () => 'Snow.'));
  const peer = await sdk1Over(server.transport);
  expect(await toolsOf(peer)).toEqual(tools);
  expect(await call(peer, {})).toMatchObject(REFUSED);
  await peer.close();
  expect((await server.finish()).failures.filter(({ kind }) => kind === 'thrown')).toEqual([]);
});

const TAPE = `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 1, method: tools/list }
- server: { jsonrpc: "2.0", id: 1, result: { nextCursor: two, tools: [{ name: weather, description: Recorded., inputSchema: ${JSON.stringify(inputSchema)} }] } }
- client: { jsonrpc: "2.0", id: 2, method: tools/list, params: { cursor: two } }
- server: { jsonrpc: "2.0", id: 2, result: { tools: [{ name: last, description: Last., inputSchema: { type: object, properties: { a: { type: strng } } } }] } }
`;

it.each(WAYS.filter(({ client }) => !client.includes('2026')))(
  'an override of a recorded tool keeps its recorded definition, to $client over $over',
  async ({ client, over }) => {
    const cassette = free();
    writeFileSync(cassette, TAPE);
    const handlers = [tool('weather', () => 'Snow.'), tool('last', () => 1, { title: 'Own' }), tool('own', () => 1)];
    const server = await mockServer({ cassette, over, handlers, onUnused: 'report' } as HttpOptions);
    const peer = await connectTo(server, client);
    expect(await call(peer, {})).toMatchObject(REFUSED);
    expect(await peer.request('tools/call', { name: 'last', arguments: { a: 1 } })).toMatchObject({ content: [{}] });
    expect(await toolsOf(peer)).toMatchObject([
      { name: 'weather', description: 'Recorded.', inputSchema },
      { name: 'own', inputSchema: { type: 'object' } },
    ]);
    expect(await peer.request('tools/list', { cursor: 'two' })).toMatchObject({
      tools: [{ name: 'last', title: 'Own', description: 'Last.', inputSchema: { properties: { a: {} } } }],
    });
    expect(await call(peer, { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Snow.' }] });
    await peer.close();
    expect((await server.finish()).failures.filter(({ kind }) => kind === 'thrown')).toEqual([]);
  },
);
