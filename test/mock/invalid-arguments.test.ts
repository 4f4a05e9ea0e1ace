import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type Handler, mockServer, prompt, readMockFile, tool } from '../../src/adapters/mock.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import type { Peer } from '../e2e/session/peer.ts';
import { sdk1Over } from '../e2e/session/sdk-1.ts';
import { freeNames, temporaryFolder } from '../support/cassette.ts';
import { connectTo, WAYS } from './clients.ts';
import { controlled } from './control/controlled.ts';

const folder = temporaryFolder();
const free = freeNames(folder);
const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const FILE = `format: mcp-record-mock/1
tools:
- name: weather
  inputSchema: ${JSON.stringify(inputSchema)}
  answers:
  - when: { city: Oslo }
    returns: Rain.
    times: 1
prompts:
- name: ask
  arguments: [{ name: city, required: true }]
  answers:
  - when: { city: Oslo }
    returns: How is Oslo?
`;

const call = (peer: Peer, args: object) =>
  peer.request('tools/call', { name: 'weather', arguments: args }) as Promise<Record<string, unknown>>;
const refused = (problem: string) => ({
  isError: true,
  content: [{ type: 'text', text: `Input validation error: Invalid arguments for tool weather: ${problem}` }],
});
const MISSING = "must have required property 'city'";

describe.each(WAYS)('arguments that no answer of a file fits, to $client over $over', ({ client, over }) => {
  it('are refused by the schema first; only valid ones are a miss', async () => {
    const file = join(folder, `${client}-${over}.yaml`);
    writeFileSync(file, FILE);
    const server = await mockServer({ ...readMockFile(file), over } as { over: 'http' });
    const peer = await connectTo(server, client);
    expect(await call(peer, { town: 'x' })).toMatchObject(refused(MISSING));
    await expect(peer.request('prompts/get', { name: 'ask' })).rejects.toMatchObject({ code: -32602 });
    await expect(call(peer, { city: 'Rome' })).rejects.toThrow('that of ');
    await peer.close();
    expect((await server.finish()).failures).toMatchObject([
      {
        kind: 'invalid',
        text: `The client sent tools/call "weather" with arguments that its inputSchema (${file}:4) forbids: ${MISSING}.`,
      },
      {
        kind: 'invalid',
        text: `The client sent prompts/get "ask" with arguments that its definition (${file}:11) forbids: city is required.`,
      },
      { kind: 'miss', text: expect.stringContaining('with {"city":"Rome"}') },
      { text: expect.stringContaining('was never called') },
    ]);
  });
});

it('arguments are checked before the answers of the control API are matched', async () => {
  const { api, connect } = await controlled(free(), { text: FILE, isMockFile: true });
  const handler = { tool: 'weather', arguments: { city: 'Rome' }, inputSchema, returns: 'Sun.' };
  await api('PUT /handlers', { handlers: [handler] });
  expect(await call(await connect(), { city: 3 })).toMatchObject(refused('city: must be string'));
  expect((await api('GET /handlers')).body.answered).toEqual([0]);
  const text =
    'The client sent tools/call "weather" with arguments that its inputSchema (/handlers/0) forbids: city: must be string.';
  expect((await api('GET /findings')).body).toMatchObject({
    failed: true,
    findings: expect.arrayContaining([{ kind: 'invalid', text, fails: true }]),
  });
});

describe('a handler for one call', () => {
  const once = { once: true };
  const HANDLERS: [what: string, handler: Handler][] = [
    ['a JSON Schema', tool('weather', () => 'Sun.', { inputSchema, ...once })],
    ['a schema of zod', tool('weather', () => 'Sun.', { inputSchema: z.object({ city: z.string() }), ...once })],
    [
      'a schema that takes its time',
      tool('weather', () => 'Sun.', { inputSchema: z.object({ city: z.string().refine(async () => true) }), ...once }),
    ],
  ];
  it.each(HANDLERS)('with %s is still there after a call with invalid arguments', async (_, handler) => {
    const server = await mockServer({ handlers: [handler] });
    const peer = await sdk1Over(server.transport);
    expect(await call(peer, {})).toMatchObject({ isError: true });
    expect(await call(peer, { city: 'Oslo' })).toMatchObject({ content: [{ text: 'Sun.' }] });
    await expect(call(peer, { city: 'Oslo' })).rejects.toThrow('as often as it may');
    await peer.close();
    expect((await server.finish()).failures.map(({ kind }) => kind)).toEqual(['invalid', 'miss']);
  });

  it('need not be called again after a call with invalid arguments', async () => {
    const cassette = free();
    writeFileSync(cassette, 'format: mcp-record/1\ntransport: stdio\nevents: []\n');
    const server = await mockServer({ cassette, handlers: [HANDLERS[0]![1]] });
    const peer = await sdk1Over(server.transport);
    await call(peer, {});
    await peer.close();
    expect((await server.finish()).failures.map(({ kind }) => kind)).not.toContain('unretried');
  });
});

it('a condition of code comes after the schema, too', async () => {
  const isOslo = ({ arguments: args }: Record<string, unknown>) => (args as { city?: string }).city === 'Oslo';
  const who = { arguments: [{ name: 'who', required: true }] };
  const server = await mockServer({
    handlers: [
      { ...tool('weather', () => 'Rain.', { inputSchema }), accepts: isOslo },
      { ...prompt('greet', () => 'Hi.', who), accepts: () => false },
    ],
  });
  const peer = await sdk1Over(server.transport);
  expect(await call(peer, {})).toMatchObject(refused(MISSING));
  const message = expect.stringContaining('Invalid arguments for prompt greet: who is required');
  await expect(peer.request('prompts/get', { name: 'greet', arguments: {} })).rejects.toMatchObject({ message });
  await expect(call(peer, { city: 'Rome' })).rejects.toThrow('does not accept these params');
  await peer.close();
  expect((await server.finish()).failures.map(({ kind }) => kind)).toEqual(['invalid', 'invalid', 'miss']);
});

it('a schema that is none is a mistake of the handler, also where no answer fits', async () => {
  const wrong = { type: 'object', properties: { city: { type: 'strng' } } };
  const server = await mockServer({
    handlers: [{ ...tool('weather', () => 'Rain.', { inputSchema: wrong }), accepts: () => false }],
  });
  const peer = await sdk1Over(server.transport);
  expect(await call(peer, { city: 'Oslo' })).toMatchObject({ isError: true });
  await peer.close();
  expect((await server.finish()).failures).toMatchObject([
    { kind: 'thrown', text: expect.stringContaining('inputSchema is no JSON Schema') },
  ]);
});

it("invalid arguments are only reported with onMiss: 'report'; a test that does not read the failures fails", async () => {
  const handlers = [tool('weather', () => 'Rain.', { inputSchema })];
  const tolerant = await mockServer({ handlers, onMiss: 'report' });
  const peer = await sdk1Over(tolerant.transport);
  await call(peer, {});
  await peer.close();
  expect(await tolerant.finish()).toMatchObject({ failed: false, findings: [{ kind: 'invalid' }] });
  const mcp = openMcp({ file: join(folder, 'a.test.js'), names: ['one'] });
  const { transport } = await mcp.server({ handlers });
  const other = await sdk1Over(transport);
  await call(other, {});
  await other.close();
  await expect(mcp.finish({ passed: true })).rejects.toThrow(
    /a call has arguments that its schema forbids\. [\s\S]*Mend the client, or the schema\. If it is meant: onMiss: 'report'/,
  );
});
