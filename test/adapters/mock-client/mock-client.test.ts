import { join } from 'node:path';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, ResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { mockClient, mockServer, request, tool } from '../../../src/adapters/mock.ts';
import type { TestedServer } from '../../../src/adapters/testing.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const everything: TestedServer = {
  command: process.execPath,
  args: [join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
};
const modern: TestedServer = { command: process.execPath, args: [join(root, 'test/e2e/servers/modern.js')] };

const sampled = request('sampling/createMessage', ({ params }) => ({
  role: 'assistant',
  model: 'mock',
  content: { type: 'text', text: `Heard ${JSON.stringify(params.messages)}` },
}));
const saying = (text: string) => ({ role: 'user', content: { type: 'text', text } });
const introduction = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } };
const textOf = ({ content }: Record<string, unknown>) => (content as { text: string }[])[0]!.text;

/** A server of the official SDK in this process, whose tool asks the client. */
function asking(ask: (server: Server) => Promise<unknown>): TestedServer {
  const server = new Server({ name: 'asks', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [] }));
  server.setRequestHandler(CallToolRequestSchema, async () => {
    const said = await ask(server).then(JSON.stringify, ({ message }: Error) => message);
    return { content: [{ type: 'text', text: String(said) }] };
  });
  return (transport) => server.connect(transport);
}

describe('a mock client', () => {
  it('calls a real server, and answers what it asks by handlers', async () => {
    const client = await mockClient({ server: everything, handlers: [sampled] });
    expect(client.server.serverInfo).toMatchObject({ name: 'mcp-servers/everything' });
    expect(textOf(await client.request('tools/call', { name: 'echo', arguments: { message: 'hi' } }))).toBe('Echo: hi');
    const called = await client.request('tools/call', {
      name: 'trigger-sampling-request',
      arguments: { prompt: 'the weather', maxTokens: 10 },
    });
    expect(textOf(called)).toContain('the weather');
    expect(textOf(called)).toContain('Heard');
    expect(client.journal.requests('sampling/createMessage')).toHaveLength(1);
    expect(await client.finish()).toEqual({ findings: [], failed: false, failures: [] });
  });

  it('connects over HTTP, where a mock server asks it', async () => {
    const server = await mockServer({
      over: 'http',
      handlers: [
        tool('ask', async (_, { sample }) => (await sample({ messages: [saying('a')], maxTokens: 1 })).content.text),
      ],
    });
    const client = await mockClient({ server: { url: server.url }, handlers: [sampled] });
    expect(textOf(await client.request('tools/call', { name: 'ask' }))).toContain('"text":"a"');
    server.notify('notifications/tools/list_changed');
    await client.journal.waitFor('notifications/tools/list_changed');
    expect(await client.finish()).toEqual({ findings: [], failed: false, failures: [] });
    expect(await server.finish()).toMatchObject({ failed: false });
  });

  it('of 2026-07-28 answers input requests by handlers, and makes the call again', async () => {
    const server = await mockServer({
      over: 'http',
      handlers: [
        tool('ask', async (_, { elicit, sample }) => {
          const { action } = await elicit({ message: 'Really?', requestedSchema: { type: 'object', properties: {} } });
          const { content } = await sample({ messages: [saying(String(action))], maxTokens: 1 });
          return content.text;
        }),
      ],
    });
    const handlers = [sampled, request('elicitation/create', () => ({ action: 'accept' }))];
    const client = await mockClient({ server: { url: server.url }, protocolVersion: '2026-07-28', handlers });
    expect(client.server).toMatchObject({ supportedVersions: ['2026-07-28'] });
    expect(textOf(await client.request('tools/call', { name: 'ask' }))).toContain('"text":"accept"');
    expect(await client.finish()).toEqual({ findings: [], failed: false, failures: [] });
    expect(await server.finish()).toMatchObject({ failed: false });
  });

  it('fails the test where a server asks with params that the specification does not allow', async () => {
    const params = { messages: [saying('hi')] };
    const asks = () =>
      asking((server) => server.request({ method: 'sampling/createMessage', params } as never, ResultSchema));
    const client = await mockClient({ server: asks(), handlers: [sampled] });
    expect(textOf(await client.request('tools/call', { name: 'any' }))).toContain('Heard');
    const text = 'The server has sent sampling/createMessage with bad params: it has no maxTokens (a number).';
    expect(await client.finish()).toMatchObject({ failed: true, failures: [{ kind: 'differs', text }] });

    const lenient = await mockClient({ server: asks(), handlers: [sampled], onDifference: 'report' });
    await lenient.request('tools/call', { name: 'any' });
    expect(await lenient.finish()).toMatchObject({ failed: false, findings: [{ kind: 'differs', text }] });
  });

  it('of 2026-07-28 checks the input requests, too', async () => {
    const asks = request('tools/call', ({ params }) =>
      params.inputResponses === undefined
        ? {
            resultType: 'input_required',
            inputRequests: { a: { method: 'elicitation/create', params: { message: 'Why?' } } },
          }
        : { content: [] },
    );
    const server = await mockServer({ over: 'http', handlers: [asks] });
    const handlers = [request('elicitation/create', () => ({ action: 'decline' }))];
    const client = await mockClient({ server: { url: server.url }, protocolVersion: '2026-07-28', handlers });
    await client.request('tools/call', { name: 'any' });
    expect((await client.finish()).failures).toMatchObject([
      { text: 'The server has sent elicitation/create with bad params: it has no requestedSchema (an object).' },
    ]);
    await server.finish();
  });

  it('fails the test where a server answers what no client of an SDK could use', async () => {
    const list = () => answering(() => ({ tools: [{ name: 5 }] }));
    const client = await mockClient({ server: list() });
    // The answer reaches the test as it came.
    expect(await client.request('tools/list')).toEqual({ tools: [{ name: 5 }] });
    const text =
      "The server has answered tools/list with a bad result: /result/tools/0 must have required property 'inputSchema' (ListToolsResult of 2025-11-25).";
    expect(await client.finish()).toEqual({
      failed: true,
      findings: [{ kind: 'differs', text }],
      failures: [{ kind: 'differs', text }],
    });

    const lenient = await mockClient({ server: list(), onDifference: 'report' });
    await lenient.request('tools/list');
    expect(await lenient.finish()).toMatchObject({ failed: false, findings: [{ kind: 'differs', text }] });
  });

  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const)(
    'has nothing to say of the answers of a server of the official SDK in %s',
    async (protocolVersion) => {
      const client = await mockClient({ server: everything, protocolVersion });
      for (const list of ['tools', 'prompts', 'resources', 'resources/templates']) await client.request(`${list}/list`);
      const call = (name: string, args = {}) => client.request('tools/call', { name, arguments: args });
      for (const name of ['get-tiny-image', 'get-resource-links', 'get-resource-reference', 'none'])
        await call(name, {}).catch(() => {});
      await call('get-structured-content', { location: 'Chicago' });
      await client.request('ping');
      await client.request('acme/none').catch(() => {});
      expect(await client.finish()).toEqual({ findings: [], failed: false, failures: [] });
    },
  );

  it('fails the test where a server sends a batch', async () => {
    const batches = (protocolVersion: string): TestedServer => ({
      command: process.execPath,
      args: [
        '-e',
        `process.stdin.on('data', (d) => { for (const line of String(d).trim().split('\\n')) { const { id, method } = JSON.parse(line); if (id !== undefined) console.log(JSON.stringify(method === 'initialize' ? { jsonrpc: '2.0', id, result: ${JSON.stringify({ ...introduction, protocolVersion })} } : [{ jsonrpc: '2.0', id, result: {} }])); } })`,
      ],
    });
    const failuresOf = async (protocolVersion: string) => {
      const client = await mockClient({ server: batches(protocolVersion) });
      expect(await client.request('ping')).toEqual({});
      return (await client.finish()).failures.map(({ text }) => text);
    };
    expect(await failuresOf('2025-11-25')).toEqual([
      'The server has sent a batch, which clients read in 2025-03-26 only: [{"jsonrpc":"2.0","id":1,"result":{}}]',
    ]);
    expect(await failuresOf('2025-03-26')).toEqual([]);
  });

  it('stops a server that asks for input without end', async () => {
    const endless = request('tools/call', () => ({
      resultType: 'input_required',
      inputRequests: {},
      requestState: 'more',
    }));
    const server = await mockServer({ over: 'http', handlers: [endless] });
    const client = await mockClient({ server: { url: server.url }, protocolVersion: '2026-07-28' });
    await expect(client.request('tools/call', { name: 'any' })).rejects.toMatchObject({ code: 'MOCK_ASKED_ENDLESSLY' });
    expect(server.journal.requests('tools/call')).toHaveLength(100);
    await client.finish();
    await server.finish();
  });

  it('speaks 2026-07-28 to a real server', async () => {
    const client = await mockClient({ server: modern, protocolVersion: '2026-07-28' });
    expect(textOf(await client.request('tools/call', { name: 'add', arguments: { a: 2, b: 3 } }))).toBe('5');
    expect(await client.finish()).toEqual({ findings: [], failed: false, failures: [] });
  });

  it('has the capabilities of its handlers, and fails the test where a server asks for more', async () => {
    const client = await mockClient({
      server: asking((server) => server.request({ method: 'roots/list' }, { parse: (all: unknown) => all } as never)),
    });
    expect(textOf(await client.request('tools/call', { name: 'any' }))).toContain('Method not found');
    expect(await client.finish()).toMatchObject({
      failed: true,
      findings: [
        { kind: 'miss', text: "No handler answers the server's roots/list." },
        { kind: 'differs', text: expect.stringContaining('the client has not declared roots [client-capability]') },
      ],
    });
  });

  it('answers as the client of a cassette did, where no handler does', async () => {
    const cassette = join(root, 'test/fixtures/sampling.yaml');
    const client = await mockClient({ server: everything, cassette });
    const args = { prompt: 'rain', maxTokens: 5 };
    expect(textOf(await client.request('tools/call', { name: 'trigger-sampling-request', arguments: args }))).toContain(
      'taped',
    );
    client.use(sampled);
    expect(textOf(await client.request('tools/call', { name: 'trigger-sampling-request', arguments: args }))).toContain(
      'Heard',
    );
    expect(await client.finish()).toMatchObject({ failed: false });
  });

  it('cancels a request by its signal, and the server hears of it', async () => {
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const server = await mockServer({
      over: 'http',
      handlers: [
        tool(
          'slow',
          (_, { signal }) =>
            new Promise((resolve) => {
              signal.addEventListener('abort', () => {
                cancel();
                resolve('late');
              });
            }),
        ),
      ],
    });
    const client = await mockClient({ server: { url: server.url } });
    const controller = new AbortController();
    const call = client.request('tools/call', { name: 'slow' }, { signal: controller.signal });
    await server.journal.waitFor('tools/call');
    controller.abort();
    await expect(call).rejects.toThrow('aborted');
    await cancelled;
    expect(await client.finish()).toEqual({ findings: [], failed: false, failures: [] });
    await server.finish();
  });

  it('fails the test where a handler throws by mistake, and where a response comes twice', async () => {
    const broken = request('sampling/createMessage', () => {
      throw new TypeError('oops');
    });
    const client = await mockClient({
      server: asking((server) => server.createMessage({ messages: [], maxTokens: 1 })),
      handlers: [broken],
    });
    expect(textOf(await client.request('tools/call', { name: 'any' }))).toContain('oops');
    const { failed, findings } = await client.finish();
    expect([failed, findings[0]!.text]).toEqual([true, expect.stringContaining('mock-client.test.ts:')]);

    const twice: TestedServer = async (transport) => {
      transport.onmessage = ({ id, method }) => {
        if (id === undefined) return;
        void transport.send({ jsonrpc: '2.0', id, result: method === 'initialize' ? introduction : { method } });
        if (method === 'ping') void transport.send({ jsonrpc: '2.0', id, result: {} });
      };
      await transport.start();
    };
    const other = await mockClient({ server: twice });
    expect(await other.request('ping')).toEqual({ method: 'ping' });
    expect(await other.finish()).toMatchObject({ failed: true, findings: [{ kind: 'stray' }] });
  });

  it('rejects what a server leaves without an answer as it ends, and says how it ended', async () => {
    const dies: TestedServer = {
      command: process.execPath,
      args: [
        '-e',
        "process.stdin.once('data', () => { console.log(JSON.stringify({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'a', version: '1' } } })); process.stdin.on('data', (d) => String(d).includes('ping') && (console.error('out of memory'), process.exit(3))); })",
      ],
    };
    const client = await mockClient({ server: dies });
    await expect(client.request('ping')).rejects.toThrow(
      'The server has ended with 3, and has not answered.\n    out of memory',
    );
    expect(await client.finish()).toMatchObject({
      failed: true,
      findings: [{ text: 'The server ended with 3, before its client.\n    out of memory' }],
    });
  });

  it('says why a server that was never there has not answered', async () => {
    const none: TestedServer = { command: process.execPath, args: [join(root, 'no-such-server.js')] };
    await expect(mockClient({ server: none })).rejects.toThrow(/ended with 1, .*[\s\S]*Cannot find module/);
  });

  it.each([
    ['a command that there is not', { server: { command: join(root, 'none') } }, 'COMMAND_NOT_FOUND'],
    ['nobody at a URL', { server: { url: 'http://127.0.0.1:9/mcp' } }, 'HTTP_UPSTREAM_UNREACHABLE'],
    [
      'a function that throws',
      {
        server: () => {
          throw new Error('no');
        },
      },
      'SESSION_NO_SERVER',
    ],
    ['an option that there is not', { server: everything, handler: [] }, 'OPTION_UNKNOWN'],
    ['no handler', { server: everything, handlers: ['a'] }, 'HANDLER_INVALID'],
  ])('says what is wrong with %s', async (_, options, code) => {
    await expect(mockClient(options as never)).rejects.toMatchObject({ code });
  });

  it('is refused by a server of another revision', async () => {
    await expect(mockClient({ server: everything, protocolVersion: '2026-07-28' })).rejects.toThrow('Method not found');
  });

  it('refuses handlers that can never answer, at once and later', async () => {
    const handlers = [tool('add', () => 3)];
    const refusal = { code: 'HANDLER_INVALID', message: expect.stringMatching(/of tools\/call "add" \(.*:\d+\)/) };
    await expect(mockClient({ server: everything, handlers })).rejects.toMatchObject(refusal);
    const client = await mockClient({ server: answering(() => ({})) });
    expect(() => client.use(request('tools/list', () => ({})))).toThrow('no server makes this request of a client');
    await client.finish();
  });

  it('fails the test with a handler that no request has reached, as a mock server does', async () => {
    const withHandlers = async (options: object) => {
      const once = request('roots/list', () => ({ roots: [] }), { once: true });
      const client = await mockClient({ server: answering(() => ({})), handlers: [sampled, once], ...options });
      client.use(request('elicitation/create', () => ({ action: 'decline' })));
      return client.finish();
    };
    const { failures, findings } = await withHandlers({});
    expect(failures).toEqual(findings);
    expect(findings.map(({ kind, text }) => [kind, text.replace(/\(.*:\d+\)/, '(…)')])).toEqual([
      ['uncalled', 'The handler of roots/list (…) was never called.'],
      ['uncalled', 'The handler of elicitation/create (…) was never called.'],
    ]);
    expect(await withHandlers({ onUnused: 'report' })).toMatchObject({ failed: false, findings: [{}, {}] });
  });

  it('sends no method that is misspelt', async () => {
    const client = await mockClient({ server: everything });
    await expect(client.request('tool/call')).rejects.toMatchObject({ code: 'MOCK_BAD_METHOD' });
    await expect(client.request('acme/none')).rejects.toMatchObject({ code: -32601 });
    expect(() => client.notify('notifications/cancelld')).toThrow('Did you mean "notifications/cancelled"?');
    expect(await client.finish()).toMatchObject({ failed: false });
  });

  it('refuses a revision that is none', async () => {
    const protocolVersion = 'twenty' as never;
    await expect(mockClient({ server: everything, protocolVersion })).rejects.toMatchObject({
      code: 'OPTION_BAD_VALUE',
      message: expect.stringContaining('2025-11-25'),
    });
  });

  it('fails the test where the server never answers, unless the request was cancelled', async () => {
    const client = await mockClient({ server: answering(() => undefined) });
    const controller = new AbortController();
    const cancelled = client.request('ping', {}, { signal: controller.signal }).catch(() => 'cancelled');
    const call = client.request('tools/call', { name: 'add' }).catch(({ message }) => message);
    controller.abort();
    const { failures } = await client.finish();
    expect(failures.map(({ text }) => text)).toEqual(['The server has not answered tools/call "add".']);
    expect(await cancelled).toBe('cancelled');
    expect(await call).toContain('has not answered');
  });

  it('fails the test where the server negotiates a revision that there is not', async () => {
    const client = await mockClient({ server: answering(() => ({}), '2020-01-01') });
    const { failures } = await client.finish();
    expect(failures.map(({ text }) => text)).toEqual([
      expect.stringContaining('The server has negotiated the revision "2020-01-01", which mcp-record does not know'),
    ]);
  });
});

/** A server in this process that answers the handshake with a revision, and what else it likes. */
function answering(answer: () => object | undefined, protocolVersion = '2025-11-25'): TestedServer {
  return async (transport) => {
    transport.onmessage = ({ id, method }) => {
      const result = method === 'initialize' ? { ...introduction, protocolVersion } : answer();
      if (id !== undefined && result) void transport.send({ jsonrpc: '2.0', id, result });
    };
    await transport.start();
  };
}
