import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CreateMessageRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { drop } from '../../src/adapters/faults.ts';
import { type Asked, matchers } from '../../src/adapters/matchers/client-message-matchers.ts';
import { mockServer } from '../../src/adapters/mock-server/mock-server.ts';
import { replayTransport, sessionTransport } from '../../src/adapters/sdk.ts';
import type { OwnMcp } from '../../src/adapters/test/mcp-types.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
// The types of the matchers stand there.
import type {} from '../../src/adapters/vitest.ts';
import type { Journal } from '../../src/journal/journal.ts';
import { openEndpoint } from '../../src/mock/endpoint/fetch-endpoint.ts';
import { openSession } from '../../src/modes/open-session.ts';
import { temporaryFolder } from '../support/cassette.ts';

expect.extend(matchers);

const tape = join(temporaryFolder(), 'cassette.yaml');
const client = `{ protocolVersion: "2025-11-25", capabilities: { sampling: {} }, clientInfo: { name: test, version: "1" } }`;
const model = `{ model: m, role: assistant, content: { type: text, text: yes indeed } }`;
writeFileSync(
  tape,
  `format: mcp-record/1
transport: stdio
events:
- client: { jsonrpc: "2.0", id: 0, method: initialize, params: ${client} }
- server: { jsonrpc: "2.0", id: 0, result: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: s, version: "1" } } }
- client: { jsonrpc: "2.0", method: notifications/initialized }
- client: { jsonrpc: "2.0", id: 1, method: tools/call, params: { name: ask, arguments: {} } }
- server: { jsonrpc: "2.0", id: 0, method: sampling/createMessage, params: { messages: [], maxTokens: 7 } }
- client: { jsonrpc: "2.0", id: 0, result: ${model} }
- server: { jsonrpc: "2.0", id: 1, result: { content: [] } }
`,
);

interface Way {
  asked: Asked & { journal: Journal };
  transport: Transport;
  end(): Promise<unknown>;
}

const owner = (): OwnMcp => openMcp({ file: join(tape, '../a.test.js'), names: ['one'] });
const url = new URL('http://mock.test/mcp');
const over = (ask: (request: Request) => Promise<Response>) =>
  new StreamableHTTPClientTransport(url, { fetch: (to, init) => ask(new Request(to, init)) });
const started = ({ command, args }: { command: string; args: string[] }) =>
  new StdioClientTransport({ command, args, stderr: 'ignore' });
const options = { onUnused: 'report' } as const;

const ways: [string, (faults?: ReturnType<typeof drop>[]) => Promise<Way>][] = [
  [
    'openSession',
    async (faults = []) => {
      const session = await openSession({ cassette: tape, mode: 'replay', ...options, faults });
      const end = () => session.finish({ passed: true });
      return { asked: session, transport: sessionTransport(session) as Transport, end };
    },
  ],
  [
    'a replay transport',
    async (faults = []) => {
      const transport = replayTransport(tape, { ...options, faults });
      return { asked: transport, transport: transport as Transport, end: async () => {} };
    },
  ],
  [
    'a mock server in memory',
    async (faults = []) => {
      const mock = await mockServer(tape, { ...options, faults });
      return { asked: mock, transport: mock.transport as Transport, end: mock.finish };
    },
  ],
  [
    'a mock server over HTTP',
    async (faults = []) => {
      const mock = await mockServer(tape, { over: 'http', ...options, faults });
      const transport = new StreamableHTTPClientTransport(new URL(mock.url));
      return { asked: mock, transport, end: mock.finish };
    },
  ],
  [
    'a mock server over stdio',
    async (faults = []) => {
      const mock = await mockServer(tape, { over: 'stdio', ...options, faults });
      return { asked: mock, transport: started(mock), end: mock.finish };
    },
  ],
  [
    'an endpoint',
    async () => {
      const endpoint = openEndpoint(tape, options);
      return { asked: endpoint, transport: over(endpoint.fetch), end: async () => endpoint.finish() };
    },
  ],
  ...(['memory', 'http', 'stdio'] as const).map((where): (typeof ways)[number] => [
    `the fixture's server over ${where}`,
    async (faults = []) => {
      const mcp = owner();
      const end = () => mcp.finish({ passed: true });
      if (where === 'memory') {
        const server = await mcp.server(tape, { ...options, faults });
        return { asked: mcp, transport: server.transport as Transport, end };
      }
      if (where === 'http') {
        const server = await mcp.server(tape, { over: where, ...options, faults });
        return { asked: mcp, transport: new StreamableHTTPClientTransport(new URL(server.url)), end };
      }
      const server = await mcp.server(tape, { over: where, ...options, faults });
      return { asked: mcp, transport: started(server), end };
    },
  ]),
  [
    "the fixture's session",
    async (faults = []) => {
      const mcp = owner();
      const connected = { cassette: tape, mode: 'replay', ...options, faults } as const;
      const transport = await mcp.connect({ command: 'none' }, connected);
      return { asked: mcp, transport: transport as Transport, end: () => mcp.finish({ passed: true }) };
    },
  ],
  [
    "the fixture's endpoint",
    async () => {
      const mcp = owner();
      const endpoint = mcp.own(openEndpoint(tape, options));
      const end = () => mcp.finish({ passed: true });
      return { asked: mcp, transport: over(endpoint.fetch), end };
    },
  ],
];

function sampling(): Client {
  const own = new Client({ name: 'test', version: '1' }, { capabilities: { sampling: {} } });
  own.setRequestHandler(CreateMessageRequestSchema, () => ({
    model: 'm',
    role: 'assistant',
    content: { type: 'text', text: 'yes indeed' },
  }));
  return own;
}

describe.each(ways)('what clients send to %s', (title, reach) => {
  it('can be asserted on while it goes on, and after it', async () => {
    const { asked, transport, end } = await reach();
    const own = sampling();
    const answered = asked.journal.waitFor('sampling/createMessage', { timeout: 60_000 });
    await own.connect(transport);
    expect(() => expect(asked).toHaveReceivedRequest('tools/call')).toThrow('but received only requests: initialize');
    await own.callTool({ name: 'ask', arguments: {} });
    expect(await answered).toMatchObject({ kind: 'answer', result: { model: 'm' }, session: 1 });
    const check = () => {
      expect(asked).toHaveReceivedRequest('tools/call', { name: 'ask' });
      expect(() => expect(asked).not.toHaveReceivedRequest('tools/call')).toThrow('expected no tools/call request');
      expect(asked).toHaveReceivedNotification('notifications/initialized');
      expect(asked).toHaveAnswered('sampling/createMessage', { result: { content: { text: 'yes indeed' } } });
      expect(asked).not.toHaveAnswered('sampling/createMessage', { result: { model: 'other' } });
      expect(asked.journal.entries.map(({ session }) => session)).toEqual([1, 1, 1, 1]);
      expect(asked).toMatchSession(tape);
    };
    check();
    const [call] = asked.journal.requests('tools/call');
    if (/HTTP|endpoint|http/.test(title)) expect(call?.headers?.['mcp-protocol-version']).toBe('2025-11-25');
    else expect(call).not.toHaveProperty('headers');
    await own.close();
    await end();
    check();
    asked.journal.reset();
    expect(asked).not.toHaveReceivedRequest('initialize');
  });

  it('is said where it did not come', async () => {
    const { asked, transport, end } = await reach();
    const own = sampling();
    await own.connect(transport);
    await asked.journal.waitFor('notifications/initialized');
    await expect(asked.journal.waitFor('tools/call', { timeout: 0 })).rejects.toMatchObject({
      code: 'WAIT_TIMED_OUT',
      message: expect.stringContaining('Received 2 messages: initialize, notifications/initialized.'),
    });
    await own.close();
    await end();
  });
});

it.each(ways.filter(([title]) => !title.includes('endpoint')))(
  'what a fault swallows on its way to %s was sent all the same',
  async (_, reach) => {
    const { asked, transport, end } = await reach([drop({ on: 'tools/call', when: { from: 'client' } })]);
    const own = sampling();
    await own.connect(transport);
    const call = own.callTool({ name: 'ask', arguments: {} }).catch(() => 'never answered');
    await asked.journal.waitFor('tools/call');
    await own.close();
    expect(await call).toBe('never answered');
    await end();
  },
);
