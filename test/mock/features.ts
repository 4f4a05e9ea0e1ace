import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'vitest';
import { errorReply, latency, reset } from '../../src/adapters/faults.ts';
import {
  type Handler,
  type MemoryServer,
  mockClient,
  mockServer,
  readMockFile,
  request,
  tool,
} from '../../src/adapters/mock.ts';
import { loadCassette } from '../../src/cassette/read/load-cassette.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { mcpRecord } from '../support/command.ts';
import { fixture, Running, run } from '../support/process.ts';

/** What mocking tools do, whether others do it, and a test that ours does. */
export interface Feature {
  title: string;
  msw: string;
  wireMock: string;
  aimock: string;
  playwright: string;
  /** How it is written here. */
  ours: string;
  prove(): Promise<void>;
}

const YES = 'yes';
const NO = '–';
const folder = temporaryFolder();
let files = 0;

const add = tool('add', ({ a, b }) => a + b);
const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]!.text;

/** A mock server in memory and a client of it, for the time of `use`. */
async function withMock(handlers: Handler[], use: (given: { server: MemoryServer; client: Client }) => Promise<void>) {
  const server = await mockServer({ handlers });
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities: { sampling: {} } });
  await client.connect(server.transport);
  await use({ server, client });
  await client.close();
  await server.finish();
}

function fileOf(text: string): string {
  const file = join(folder, `${files++}.yaml`);
  writeFileSync(file, text);
  return file;
}

const cassette = () =>
  fileOf(
    'format: mcp-record/1\nevents:\n- client: { id: 1, method: tools/call, params: { name: add, arguments: { a: 1, b: 2 } } }\n- server: { id: 1, result: { content: [ { type: text, text: taped } ] } }\n',
  );
const mockFile = (...answers: string[]) =>
  fileOf(
    `format: mcp-record-mock/1\ntools:\n- name: add\n  answers:\n${answers.map((one) => `  - ${one}\n`).join('')}`,
  );

/** A client of a mock file in memory, for the time of `use`. */
async function withFile(answers: string[], use: (client: Client) => Promise<void>) {
  await withMock(readMockFile(mockFile(...answers)).handlers, ({ client }) => use(client));
}

export const FEATURES: readonly Feature[] = [
  {
    title: 'answers by functions of the test',
    ...{ msw: YES, wireMock: 'extensions in Java', aimock: YES, playwright: YES },
    ours: "`tool('add', ({ a, b }) => a + b)`",
    prove: () =>
      withMock([add], async ({ client }) => {
        expect(textOf(await client.callTool({ name: 'add', arguments: { a: 2, b: 3 } }))).toBe('5');
      }),
  },
  {
    title: 'an override in one test, taken back after it',
    ...{ msw: YES, wireMock: YES, aimock: 'by hand', playwright: YES },
    ours: '`server.use(…)`, `server.resetHandlers()`',
    prove: () =>
      withMock([add], async ({ server, client }) => {
        server.use(tool('add', () => 'other'));
        expect(textOf(await client.callTool({ name: 'add' }))).toBe('other');
        server.resetHandlers();
        expect(textOf(await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } }))).toBe('2');
      }),
  },
  {
    title: 'an answer for one request only',
    ...{ msw: YES, wireMock: 'by scenarios', aimock: 'by hand', playwright: YES },
    ours: '`{ once: true }`, `times: 1`',
    prove: () =>
      withMock([add], async ({ server, client }) => {
        server.use(tool('add', () => 'once', { once: true }));
        const said = [
          await client.callTool({ name: 'add' }),
          await client.callTool({ name: 'add', arguments: { a: 0, b: 0 } }),
        ];
        expect(said.map(textOf)).toEqual(['once', '0']);
      }),
  },
  {
    title: 'different answers in a row',
    ...{ msw: 'generators', wireMock: 'scenarios', aimock: 'by hand', playwright: 'by hand' },
    ours: '`answers:` with `times`; `repeat: cycle`',
    prove: () =>
      withFile(['{ returns: first, times: 1 }', '{ returns: then }'], async (client) => {
        const said = [
          await client.callTool({ name: 'add' }),
          await client.callTool({ name: 'add' }),
          await client.callTool({ name: 'add' }),
        ];
        expect(said.map(textOf)).toEqual(['first', 'then', 'then']);
      }),
  },
  {
    title: 'mocks as files, without code',
    ...{ msw: NO, wireMock: YES, aimock: YES, playwright: 'HAR' },
    ours: '`mcp-record mock weather.mock.yaml`',
    async prove() {
      const { stdout } = await run(
        mcpRecord('mock', mockFile('{ returns: from a file }')),
        '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}\n',
      );
      expect(String(stdout)).toContain('from a file');
    },
  },
  {
    title: 'matching by a part of the request, or an expression',
    ...{ msw: 'in the handler', wireMock: YES, aimock: 'in the handler', playwright: 'of the URL' },
    ours: '`when: { city: /^B/ }`, `match: { arguments: partial }`',
    prove: () =>
      withFile(['{ when: { a: /^x/ }, returns: x }', '{ returns: else }'], async (client) => {
        expect(textOf(await client.callTool({ name: 'add', arguments: { a: 'xy', b: 1 } }))).toBe('x');
        expect(textOf(await client.callTool({ name: 'add', arguments: { a: 'y' } }))).toBe('else');
      }),
  },
  {
    title: 'answers with values of the request, and dates',
    ...{ msw: 'in the handler', wireMock: YES, aimock: 'in the handler', playwright: 'in the handler' },
    ours: '`{{/params/arguments/city}}`, `{{now + 1h}}`',
    prove: () =>
      withFile(['{ returns: "{{/params/arguments/a}} on {{today}}" }'], async (client) => {
        expect(textOf(await client.callTool({ name: 'add', arguments: { a: 7 } }))).toMatch(/^7 on \d{4}-\d\d-\d\d$/);
      }),
  },
  {
    title: 'a delay',
    ...{ msw: YES, wireMock: YES, aimock: 'by hand', playwright: 'by hand' },
    ours: '`delay: 500`, `latency({ delay: 500 })`',
    async prove() {
      const server = await mockServer({
        over: 'http',
        handlers: [add],
        faults: [latency({ delay: 1, when: { method: 'tools/call' } })],
      });
      const client = await mockClient({ server: { url: server.url } });
      await client.request('tools/call', { name: 'add', arguments: { a: 1, b: 1 } });
      expect(server.fired.map(({ fault }) => fault)).toEqual(['latency']);
      await Promise.all([client.finish(), server.finish()]);
    },
  },
  {
    title: 'an error in place of the answer',
    ...{ msw: YES, wireMock: YES, aimock: 'a tool error', playwright: YES },
    ours: "`throw new Error('quota')`, `error:`, `errorReply()`",
    prove: () =>
      withFile(['{ error: { code: -32050, message: quota } }'], async (client) => {
        await expect(client.callTool({ name: 'add' })).rejects.toMatchObject({ code: -32050 });
      }),
  },
  {
    title: 'a connection that breaks',
    ...{ msw: YES, wireMock: YES, aimock: NO, playwright: YES },
    ours: '[`reset()`, `cut()`, …](faults.md)',
    async prove() {
      const server = await mockServer({
        over: 'http',
        handlers: [add],
        faults: [reset({ when: { method: 'tools/call' } })],
        onUnused: 'report',
      });
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(new StreamableHTTPClientTransport(new URL(server.url)));
      await expect(
        client.callTool({ name: 'add', arguments: { a: 1, b: 1 } }, undefined, { timeout: 2000 }),
      ).rejects.toThrow();
      expect(server.fired.map(({ fault }) => fault)).toEqual(['reset']);
      await client.close();
      await server.finish();
    },
  },
  {
    title: 'the real answer, changed',
    ...{ msw: YES, wireMock: 'transformers', aimock: NO, playwright: YES },
    ours: '`await passthrough()`',
    async prove() {
      const server = await mockServer({
        cassette: cassette(),
        handlers: [
          request('tools/call', async (_, { passthrough }) => ({ ...(await passthrough()), _meta: { changed: true } })),
        ],
      });
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(server.transport);
      expect(await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } })).toEqual({
        content: [{ type: 'text', text: 'taped' }],
        _meta: { changed: true },
      });
      await client.close();
      await server.finish();
    },
  },
  {
    title: 'recording real traffic, and playing it back',
    ...{ msw: NO, wireMock: YES, aimock: NO, playwright: 'HAR' },
    ours: '`mcp-record record`, `mcp-record replay`',
    async prove() {
      const { command, args } = fixture('answers.js');
      const file = join(folder, `${files++}.yaml`);
      const call = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}\n';
      const { stdout } = await run(mcpRecord('record', '-o', file, '--', command, ...args), call);
      expect(loadCassette(file).events.length).toBeGreaterThan(1);
      expect(String((await run(mcpRecord('replay', file), call)).stdout)).toBe(String(stdout));
    },
  },
  {
    title: 'recording what is new while the rest is played back',
    ...{ msw: NO, wireMock: YES, aimock: NO, playwright: '`update`' },
    ours: "`mode: 'new'`",
    async prove() {
      const file = cassette();
      const { command, args } = fixture('answers.js');
      const session = await openSession({ cassette: file, server: { command, args }, mode: 'new', env: {} });
      const heard = new Promise((resolve) =>
        session.channel.listen((frame) => frame.kind === 'message' && resolve(frame.json.value)),
      );
      const { JsonText } = await import('../../src/protocol/json-text.ts');
      session.channel.send({
        kind: 'message',
        at: 0,
        from: 'client',
        json: new JsonText('{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"b"}}'),
      });
      expect(await heard).toMatchObject({ id: 9 });
      await session.finish({ passed: true });
      expect(loadCassette(file).events.length).toBeGreaterThan(2);
    },
  },
  {
    title: 'a list of what was asked, for assertions',
    ...{ msw: 'events', wireMock: YES, aimock: 'if mounted', playwright: 'events' },
    ours: '`server.journal`, `toHaveReceivedRequest`',
    prove: () =>
      withMock([add], async ({ server, client }) => {
        await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
        expect(server.journal.requests('tools/call', { name: 'add' })).toHaveLength(1);
      }),
  },
  {
    title: 'waiting for a request',
    ...{ msw: 'events', wireMock: NO, aimock: NO, playwright: YES },
    ours: "`server.journal.waitFor('tools/call', { params })`",
    prove: () =>
      withMock([add], async ({ server, client }) => {
        const asked = server.journal.waitFor('tools/call', { params: { name: 'add' } });
        await client.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
        expect(await asked).toMatchObject({ method: 'tools/call' });
      }),
  },
  {
    title: 'a request without an answer fails the test, and the nearest ones are named',
    ...{ msw: 'warns or fails', wireMock: YES, aimock: 'an error', playwright: NO },
    ours: 'by default',
    async prove() {
      const server = await mockServer({ handlers: [add] });
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(server.transport);
      await expect(client.callTool({ name: 'addd' })).rejects.toThrow();
      await client.close();
      expect(await server.finish()).toMatchObject({
        failed: true,
        findings: [{ text: expect.stringContaining('did you mean "add"?') }],
      });
    },
  },
  {
    title: 'an answer that nobody asked for fails the test',
    ...{ msw: NO, wireMock: 'unmatched stubs', aimock: NO, playwright: NO },
    ours: 'by default, for cassettes',
    async prove() {
      const server = await mockServer(cassette());
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(server.transport);
      await client.close();
      expect(await server.finish()).toMatchObject({
        failed: true,
        findings: expect.arrayContaining([expect.objectContaining({ kind: 'unused' })]),
      });
    },
  },
  {
    title: 'a server that any process can reach',
    ...{ msw: NO, wireMock: YES, aimock: YES, playwright: NO },
    ours: "`over: 'http'`, `over: 'stdio'`",
    async prove() {
      await using running = new Running(mcpRecord('mock', '--http', mockFile('{ returns: over HTTP }')));
      const url = /listening on (\S+)/.exec(await running.line(running.child.stderr))![1]!;
      const client = await mockClient({ server: { url } });
      expect(textOf(await client.request('tools/call', { name: 'add' }))).toBe('over HTTP');
      await client.finish();
    },
  },
  {
    title: 'messages of the server by itself',
    ...{ msw: 'SSE, WebSocket', wireMock: 'webhooks', aimock: NO, playwright: 'WebSocket' },
    ours: '`server.notify(…)`, `server.request(…)`',
    prove: () =>
      withMock([add], async ({ server, client }) => {
        client.setRequestHandler(CreateMessageRequestSchema, () => ({
          role: 'assistant',
          model: 'm',
          content: { type: 'text', text: 'hi' },
        }));
        expect(await server.request('sampling/createMessage', { messages: [], maxTokens: 1 })).toMatchObject({
          model: 'm',
        });
      }),
  },
  {
    title: 'progress, cancels and questions while a call is open',
    ...{ msw: NO, wireMock: NO, aimock: NO, playwright: NO },
    ours: '`({ progress, signal, sample, elicit })`',
    prove: () =>
      withMock(
        [
          tool('slow', (_, { progress }) => {
            progress(1);
            return 'done';
          }),
        ],
        async ({ client }) => {
          const seen: number[] = [];
          await client.callTool({ name: 'slow' }, undefined, { onprogress: ({ progress }) => seen.push(progress) });
          expect(seen).toEqual([1]);
        },
      ),
  },
  {
    title: 'the other side: a client for a server under test',
    ...{ msw: NO, wireMock: NO, aimock: NO, playwright: 'request contexts' },
    ours: '`mockClient({ server, handlers })`, `verify`',
    async prove() {
      const server = await mockServer({ over: 'http', handlers: [add] });
      const client = await mockClient({ server: { url: server.url } });
      expect(textOf(await client.request('tools/call', { name: 'add', arguments: { a: 4, b: 4 } }))).toBe('8');
      await Promise.all([client.finish(), server.finish()]);
    },
  },
  {
    title: 'a mock made from a description of the real one',
    ...{ msw: 'other packages', wireMock: 'OpenAPI (cloud)', aimock: NO, playwright: NO },
    ours: '`mcp-record new -- COMMAND`',
    async prove() {
      const { command, args } = fixture('pages-its-tools.js');
      const { stdout } = await run(mcpRecord('new', '--', command, ...args));
      expect(readMockFile(fileOf(String(stdout))).handlers).toHaveLength(4);
    },
  },
  {
    title: 'a fault at random, or at every n-th message',
    ...{ msw: 'by hand', wireMock: 'extensions', aimock: NO, playwright: 'by hand' },
    ours: '`probability`, `times`, `sweep`',
    async prove() {
      const server = await mockServer({
        handlers: [add],
        faults: [errorReply({ when: { method: 'tools/call' }, times: 1 })],
        onUnused: 'report',
      });
      const client = new Client({ name: 'test', version: '1.0.0' });
      await client.connect(server.transport);
      await expect(client.callTool({ name: 'add', arguments: { a: 1, b: 1 } })).rejects.toThrow();
      expect(textOf(await client.callTool({ name: 'add', arguments: { a: 1, b: 1 } }))).toBe('2');
      await client.close();
      await server.finish();
    },
  },
];
