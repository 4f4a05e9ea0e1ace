import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { errorReply } from '../../src/adapters/faults.ts';
import { type HandlerContext, mockServer, prompt, request, resource, tool } from '../../src/adapters/mock.ts';
import { openMcp } from '../../src/adapters/test/open-mcp-in-any-runner.ts';
import type { TransportLike } from '../e2e/session/peer.ts';
import { sdk1Over } from '../e2e/session/sdk-1.ts';
import { temporaryFolder } from '../support/cassette.ts';
import { run } from '../support/process.ts';
import { CLIENTS, connectTo, WAYS } from './clients.ts';
import { add, call, mockServerTests, start, WEATHER } from './mock-server-tests.ts';

const TAPE = join(temporaryFolder(), 'weather.yaml');
writeFileSync(TAPE, WEATHER);

/** Over stdio, the tests with SDK 1 are here, and those with other clients among the long ones. */
mockServerTests(
  WAYS.filter(({ client, over }) => over !== 'stdio' || client === 'SDK 1'),
  TAPE,
);

it.each([
  [{ timeout: -1 }, 'the timeout is -1'],
  [{ timeout: Number.NaN }, 'the timeout is NaN'],
  [{ timout: 5 }, 'there is no option timout'],
  [7, 'the options are 7'],
])('refuses the options %o of a request to the client', async (options, why) => {
  const { server, connect } = await start({ client: 'SDK 1', over: 'memory' }, [add]);
  const peer = await connect();
  await expect(server.request('roots/list', {}, options as object)).rejects.toMatchObject({
    code: 'MOCK_BAD_TIMEOUT',
    message: expect.stringContaining(why),
  });
  await peer.close();
  await server.finish();
});

it('names a client that does not answer a request, and cancels the request', async () => {
  const server = await mockServer({ handlers: [add] });
  const client = new Client({ name: 'mute', version: '1' }, { capabilities: { roots: {} } });
  const cancelled = new Promise((resolve) => {
    client.setRequestHandler(ListRootsRequestSchema, (_, { signal }) => {
      signal.addEventListener('abort', resolve);
      return new Promise(() => {});
    });
  });
  await client.connect(server.transport);
  await expect(server.request('roots/list', {}, { timeout: 1 })).rejects.toMatchObject({
    code: 'MOCK_NO_ANSWER',
    message: expect.stringContaining('The client has not answered roots/list in 1 ms'),
  });
  await cancelled;
  await client.close();
  expect(await server.finish()).toMatchObject({ failed: false });
});

it('says which capability a client lacks that refuses a request', async () => {
  const server = await mockServer({ handlers: [add] });
  const client = new Client({ name: 'lacking', version: '1' });
  await client.connect(server.transport);
  await expect(server.request('sampling/createMessage', { messages: [], maxTokens: 5 })).rejects.toMatchObject({
    name: 'RpcFailure',
    code: -32601,
    message: expect.stringMatching(
      /^The client answered sampling\/createMessage with an error: .* It has not declared the capability sampling\.$/,
    ),
  });
  await client.close();
  await server.finish();
});

it.each(['memory', 'http', 'stdio'] as const)(
  'a client of 2026-07-28 hears what it subscribes to over %s',
  async (over) => {
    const { server, connect } = await start({ client: 'client 2 with 2026-07-28', over }, [add]);
    const peer = await connect();
    const acknowledged = peer.heard.next(({ method }) => method === 'notifications/subscriptions/acknowledged');
    const client = new AbortController();
    const listening = peer.request(
      'subscriptions/listen',
      { notifications: { toolsListChanged: true } },
      { signal: client.signal },
    );
    await acknowledged;
    const changed = peer.heard.next(({ method }) => method === 'notifications/tools/list_changed');
    server.notify('notifications/prompts/list_changed');
    server.notify('notifications/tools/list_changed');
    expect(await changed).toMatchObject({
      params: { _meta: { 'io.modelcontextprotocol/subscriptionId': expect.anything() } },
    });
    expect(peer.heard.messages.map(({ method }) => method)).not.toContain('notifications/prompts/list_changed');
    client.abort();
    await expect(listening).rejects.toThrow();
    await peer.close();
    await server.finish();
  },
);

it('two clients with the same ids at once are answered each on its own', async () => {
  const { server, connect } = await start({ client: 'client 2 with 2026-07-28', over: 'http' }, []);
  const waiting: (() => void)[] = [];
  server.use(
    tool('echo', async ({ text }) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return text;
    }),
  );
  const [one, two] = [await connect(), await connect()];
  const both = Promise.all([call(one, 'echo', { text: 'one' }), call(two, 'echo', { text: 'two' })]);
  await expect.poll(() => waiting.length).toBe(2);
  for (const resolve of waiting.reverse()) resolve();
  const [first, second] = await both;
  expect([first.content, second.content]).toEqual([[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]]);
  await Promise.all([one.close(), two.close()]);
  await server.finish();
});

it.each(['memory', 'http', 'stdio'] as const)('recorded answers go round over %s', async (over) => {
  const tape = join(temporaryFolder(), 'turns.yaml');
  const [asked, answered] = ['heads', 'tails'].map((text, n) => [
    `- client: { jsonrpc: "2.0", id: ${n}, method: tools/call, params: { name: toss } }`,
    `- server: { jsonrpc: "2.0", id: ${n}, result: { content: [{ type: text, text: ${text} }] } }`,
  ]);
  const events = [...asked!, ...answered!];
  writeFileSync(tape, ['format: mcp-record/1', 'transport: stdio', 'events:', ...events, ''].join('\n'));
  const server = await mockServer(tape, { over, repeat: { 'tools/call': 'cycle' } } as { over: 'http' });
  const peer = await connectTo(server, 'SDK 1');
  const said: unknown[] = [];
  for (let n = 0; n < 5; n++) said.push((await call(peer, 'toss')).content);
  expect(said.map((content) => (content as { text: string }[])[0]!.text).join()).toBe('heads,tails,heads,tails,heads');
  await peer.close();
  expect(await server.finish()).toMatchObject({ failed: false });
});

it('waits for a request with these params', async () => {
  const { server, connect } = await start({ client: 'SDK 1', over: 'memory' }, [add]);
  const peer = await connect();
  const waiting = server.journal.waitFor('tools/call', { params: { arguments: { a: 2 } } });
  await call(peer, 'add', { a: 1, b: 1 });
  await call(peer, 'add', { a: 2, b: 2 });
  expect(await waiting).toMatchObject({ params: { arguments: { a: 2, b: 2 } } });
  const late = server.journal.waitFor('tools/call', { params: { name: 'sub' }, timeout: 0 });
  await expect(late).rejects.toThrow(
    '{"name":"sub"}: 2 came with other params: of the nearest /name is "add", not "sub".',
  );
  const wrong = server.journal.waitFor('tools/call', { params: 'add' as never });
  await expect(wrong).rejects.toMatchObject({ code: 'WAIT_BAD_OPTION' });
  await peer.close();
  await server.finish();
});

it.each(['memory', 'http', 'stdio'] as const)('begins anew for the next test over %s', async (over) => {
  const { server, connect } = await start({ client: 'SDK 1', over }, [], TAPE);
  server.use(tool('weather', () => 'rain'));
  const one = await connect();
  await one.request('tools/list');
  await call(one, 'weather', { city: 'Oslo' });
  await one.close();
  expect([server.received('tools/call').length, server.fired]).toEqual([1, []]);
  expect(await server.reset()).toMatchObject({ failed: false });
  expect(server.received()).toEqual([]);
  server.resetHandlers();
  const two = await connect();
  await two.request('tools/list');
  await two.close();
  expect((await server.finish()).failures).toMatchObject([{ kind: 'unused' }]);
  await expect(server.reset()).rejects.toMatchObject({ code: 'ENDPOINT_ENDED' });
});

it.each([
  ['null', null],
  ['a function', () => 'text'],
  ['a notification', { ...request('ping', () => ({})), method: 'notifications/progress' }],
])('%s is no handler', async (_, handler) => {
  await expect(mockServer({ handlers: [handler as never] })).rejects.toMatchObject({ code: 'HANDLER_INVALID' });
  await using server = await mockServer({});
  expect(() => server.use(handler as never)).toThrow('[HANDLER_INVALID]');
  expect(() => server.use(tool as never)).toThrow('the function tool, which was not called, is no handler');
});

it.each([
  ['no name', () => tool(5 as never, () => 1), 'its name is no text'],
  ['no function', () => tool('a', 'x' as never), 'its second argument is no function'],
  ['a misspelt option', () => tool('a', () => 1, { onse: true } as never), 'did you mean once?'],
  [
    'an option of another',
    () => prompt('a', () => 'x', { inputSchema: {} } as never),
    'there is no option inputSchema',
  ],
  ['a word for a yes', () => request('a/b', () => ({}), { once: 'yes' } as never), 'once is true or false'],
  ['no options', () => resource('a', () => 'x', null as never), 'its options are no object'],
  ['a misspelt method', () => request('tool/call', () => ({})), 'Did you mean "tools/call"?'],
  ['a method that nobody has', () => request('search', () => ({})), 'MCP has no such method'],
  ['the method of a notification', () => request('notifications/x', () => ({})), 'it is the method of a notification'],
])('a handler with %s is an error at once', (_, make, why) => {
  expect(make).toThrow(why);
  expect(make).toThrow('[HANDLER_INVALID]');
});

it('an option that there is not is an error', async () => {
  await expect(mockServer({ tools: [add] } as never)).rejects.toMatchObject({ code: 'OPTION_UNKNOWN' });
});

it.each(['memory', 'http', 'stdio'] as const)(
  'what the client never answers is rejected at the end over %s, and fails the test',
  async (over) => {
    const { server, connect } = await start({ client: 'SDK 1', over }, [add]);
    const peer = await connect();
    const asked = server.request('sampling/createMessage', { messages: 'never' });
    const ended = expect(asked).rejects.toThrow();
    expect((await server.finish()).failures).toContainEqual({
      kind: 'unanswered',
      text: 'The session ended before the client answered sampling/createMessage. Wait for the answer first. If none comes in time, see what the client does with the request.',
    });
    await ended;
    await peer.close();
  },
);

it('a retry of 2026-07-28 with other params is found', async () => {
  const server = await mockServer({
    over: 'http',
    handlers: [
      tool('ask', async ({ city }, { elicit }) => {
        const requestedSchema = { type: 'object', properties: {} };
        return `${city} ${(await elicit({ message: 'Sure?', requestedSchema })).action}`;
      }),
    ],
  });
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const ask = async (params: object) => {
    const headers = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'ask',
    };
    const full = { name: 'ask', _meta: { ..._meta, 'io.modelcontextprotocol/clientCapabilities': {} }, ...params };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: full });
    const response = await fetch(server.url, { method: 'POST', headers, body });
    // biome-ignore lint/suspicious/noExplicitAny: read member by member
    return ((await response.json()) as { result: any }).result;
  };
  const { inputRequests, requestState } = await ask({ arguments: { city: 'Oslo' } });
  const [key] = Object.keys(inputRequests);
  const inputResponses = { [key!]: { action: 'accept' } };
  const { content } = await ask({ arguments: { city: 'Rome' }, inputResponses, requestState });
  expect(content).toEqual([{ type: 'text', text: 'Oslo accept' }]);
  expect((await server.finish()).failures).toMatchObject([{ kind: 'differs' }]);
});

it('a client of 2026-07-28 that answers with what the schema forbids is found', async () => {
  const requestedSchema = { type: 'object', properties: { n: { type: 'number' } } };
  const server = await mockServer({
    handlers: [tool('ask', async (_, { elicit }) => JSON.stringify(await elicit({ message: 'n?', requestedSchema })))],
  });
  const { transport } = server;
  await transport.start();
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const ask = (id: number, more: object) =>
    new Promise<Record<string, unknown>>((resolve) => {
      transport.onmessage = (message) => resolve((message as unknown as { result: Record<string, unknown> }).result);
      transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask', _meta, ...more } });
    });
  const { inputRequests, requestState } = await ask(1, {});
  const [key] = Object.keys(inputRequests as object);
  const answer = { action: 'accept', content: { n: 'one' } };
  await ask(2, { requestState, inputResponses: { [key!]: answer } });
  const text = expect.stringMatching(/^The client has answered elicitation\/create .* n: must be number/);
  expect((await server.finish()).failures).toMatchObject([{ kind: 'differs', text }]);
});

it.each<[string, string, object, string | undefined]>([
  ['an action that there is not', 'elicitation/create', { action: 'ok' }, 'its action is "ok", not "accept"'],
  ['content of another type', 'elicitation/create', { action: 'accept', content: { n: 'one' } }, 'n: must be number'],
  ['no content', 'elicitation/create', { action: 'accept' }, "must have required property 'n'"],
  ['content that fits', 'elicitation/create', { action: 'accept', content: { n: 1 } }, undefined],
  ['no content of one that declined', 'elicitation/create', { action: 'decline' }, undefined],
  ['empty content of one that declined', 'elicitation/create', { action: 'decline', content: {} }, undefined],
  [
    'the data of a form that the user declined',
    'elicitation/create',
    { action: 'decline', content: { n: 1 } },
    'its content has n, though the action is "decline"',
  ],
  ['a folder that is no URI', 'roots/list', { roots: [{ uri: '/notes' }] }, 'roots.0. has a uri that does not begin'],
  ['a root on the web', 'roots/list', { roots: [{ uri: 'https://x.example/' }] }, 'does not begin with file://'],
  ['a sampled message without a role', 'sampling/createMessage', { text: 'hi' }, 'role'],
])('a client that answers with %s is found, if the answer is bad', async (_, method, result, why) => {
  const requestedSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const server = await mockServer({
    handlers: [
      tool('ask', async (_args, { ask }) => JSON.stringify(await ask(method, { message: 'n?', requestedSchema }))),
    ],
  });
  const { transport } = server;
  const answered = new Promise((resolve) => {
    transport.onmessage = (message) => {
      if ('method' in message && 'id' in message) transport.send({ jsonrpc: '2.0', id: message.id, result });
      else if ('id' in message && message.id === 2) resolve(message);
    };
  });
  await transport.start();
  const capabilities = { elicitation: {}, sampling: {}, roots: {} };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } };
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'ask' } });
  expect(await answered).toMatchObject({ result: { content: [{ text: JSON.stringify(result) }] } });
  const { failures } = await server.finish();
  const bad = `The client has answered ${method} with a bad result: `;
  expect(failures.map(({ kind, text }) => [kind, text])).toEqual(
    why === undefined ? [] : [['differs', expect.stringMatching(new RegExp(`^${bad}.*${why}`))]],
  );
});

it.each(['memory', 'http', 'stdio'] as const)(
  'sends no method that is misspelt over %s, and those of extensions as they are',
  async (over) => {
    const { server, connect } = await start({ client: 'SDK 1', over }, [add]);
    const peer = await connect();
    await peer.request('tools/list');
    const refusal = (next: string) =>
      expect.objectContaining({ code: 'MOCK_BAD_METHOD', message: expect.stringContaining(next) });
    expect(() => server.notify('notifications/tools/list_chnaged')).toThrow(
      refusal('"notifications/tools/list_changed"'),
    );
    expect(() => server.notify('tools/list')).toThrow(refusal('it is the method of a request'));
    await expect(server.request('sampling/createMesage')).rejects.toThrow(refusal('"sampling/createMessage"'));
    await expect(server.request('sampling')).rejects.toThrow(refusal('MCP has no such method'));
    const heard = peer.heard.next(({ method }) => method === 'notifications/acme/changed');
    server.notify('notifications/acme/changed');
    await heard;
    expect(peer.heard.messages.map(({ method }) => method)).not.toContain('notifications/tools/list_chnaged');
    await peer.close();
    expect(await server.finish()).toMatchObject({ failed: false });
  },
);

it('a client of 2026-07-28 is asked in a call only', async () => {
  const { server, connect } = await start({ client: 'client 2 with 2026-07-28', over: 'memory' }, [add]);
  const peer = await connect();
  await peer.request('tools/list');
  await expect(server.request('roots/list')).rejects.toMatchObject({ code: 'MOCK_CANNOT_ASK' });
  await peer.close();
  await server.finish();
});

it('keeps the journal as it came, whatever a handler does to its arguments', async () => {
  const change = tool('add', (args) => {
    args.a = 99;
    return 'changed';
  });
  const { server, connect } = await start({ client: 'SDK 1', over: 'memory' }, [change]);
  const peer = await connect();
  await call(peer, 'add', { a: 1 });
  expect(server.received('tools/call')).toMatchObject([{ params: { arguments: { a: 1 } } }]);
  await peer.close();
  await server.finish();
});

it('has no handlers where a process of its own plays the cassette, and says so', async () => {
  await using server = await mockServer(TAPE, { over: 'stdio', onUnused: 'report' });
  expect(() => server.use(add)).toThrow('[HANDLER_OVER_STDIO]');
  await expect(server.request('roots/list')).rejects.toMatchObject({ code: 'HANDLER_OVER_STDIO' });
});

it('is a command that says so when its test is over', async () => {
  const server = await mockServer({ over: 'stdio', handlers: [add] });
  const { command, args } = server;
  const peer = await CLIENTS['SDK 1'].connect(new CLIENTS['SDK 1'].stdio({ command, args }) as TransportLike);
  await expect(call(peer, 'none')).rejects.toThrow('Unknown tool: none');
  expect((await server.finish()).failures).toMatchObject([{ kind: 'miss' }, { kind: 'leaked' }]);
  await expect(peer.request('ping')).rejects.toThrow();
  await peer.close();
  const late = await run({ command, args });
  expect([late.status, late.stderr]).toEqual([
    1,
    expect.stringContaining('the test that owns this mock server is over'),
  ]);
});

it.each(['memory', 'http', 'stdio'] as const)(
  'a fault before it spoils the answer of a handler over %s',
  async (over) => {
    const { server, connect } = await start({ client: 'SDK 1', over }, [add]);
    const peer = await connect();
    server.misbehave([errorReply({ on: 'tools/call', times: 1, code: -32050, message: 'busy' })]);
    await expect(call(peer, 'add', { a: 1, b: 1 })).rejects.toMatchObject({ code: -32050 });
    expect(await call(peer, 'add', { a: 1, b: 1 })).toMatchObject({ content: [{ text: '2' }] });
    await peer.close();
    expect(await server.finish()).toMatchObject({ failed: false });
  },
);

it('says of a handler with a condition of its own that it does not accept the params', async () => {
  const server = await mockServer({ handlers: [{ ...tool('add', () => 1), accepts: () => false, place: 'a.ts:1' }] });
  const peer = await sdk1Over(server.transport);
  await call(peer, 'add', { a: 1 }).catch(() => {});
  await peer.close();
  expect((await server.finish()).failures.map(({ text }) => text)).toEqual([
    'No handler answers tools/call "add" with {"a":1}: that of a.ts:1 does not accept these params.',
  ]);
});

it('is a server of a test', async () => {
  const mcp = openMcp({ file: join(TAPE, '../a.test.js'), names: ['one'] });
  const { transport } = await mcp.server({ handlers: [add] });
  const peer = await sdk1Over(transport);
  expect(await call(peer, 'add', { a: 1, b: 1 })).toMatchObject({ content: [{ text: '2' }] });
  expect(mcp.received('tools/call')).toHaveLength(1);
  await expect(call(peer, 'none')).rejects.toThrow();
  await peer.close();
  await expect(mcp.finish({ passed: true })).rejects.toThrow('No handler answers tools/call "none"');
});

describe('a handler that says what is no message, or too late', () => {
  it.each([
    ['progress without a number', ({ progress }: HandlerContext) => progress('half' as never), 'Progress is a number'],
    [
      'a notification that is a request',
      ({ notify }: HandlerContext) => notify('tools/list'),
      'it is the method of a request',
    ],
    [
      'a misspelt notification',
      ({ notify }: HandlerContext) => notify('notifications/mesage'),
      'Did you mean "notifications/message"?',
    ],
    [
      'a misspelt request',
      ({ ask }: HandlerContext) => ask('sampling/createMesage'),
      'Did you mean "sampling/createMessage"?',
    ],
    [
      'params that are no object',
      ({ notify }: HandlerContext) => notify('notifications/a', 'b' as never),
      'takes a method',
    ],
    ['a request without a method', ({ ask }: HandlerContext) => ask(undefined as never), 'takes a method'],
    ['a question without params', ({ elicit }: HandlerContext) => elicit(undefined as never), 'it has no message'],
    [
      'a form without its members',
      ({ elicit }: HandlerContext) => elicit({ text: 'How many?' }),
      'elicit cannot send such a request: it has no message (a string). To send it on purpose: ask(',
    ],
    [
      'a form whose fields are no schemas',
      ({ elicit }: HandlerContext) =>
        elicit({ message: 'How many?', requestedSchema: { type: 'object', properties: { people: 'integer' } } }),
      'the property people, whose type is not',
    ],
    [
      'a prompt for a model that is no list of messages',
      ({ sample }: HandlerContext) => sample({ messages: 'hi' }),
      'sample cannot send such a request: it has a messages that is not a list',
    ],
    [
      'a prompt for a model without its limit',
      ({ sample }: HandlerContext) => sample({ messages: [] }),
      'it has no maxTokens (a number)',
    ],
  ])('fails the test: %s', async (_, say, message) => {
    const server = await mockServer({
      handlers: [
        tool('say', async (_, context) => {
          await say(context);
          return 'done';
        }),
      ],
    });
    const peer = await sdk1Over(server.transport);
    expect(await call(peer, 'say')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(message) }],
    });
    await peer.close();
    const { failed, findings } = await server.finish();
    expect([failed, findings[0]!.text]).toEqual([true, expect.stringContaining('mock-server.test.ts:')]);
    expect(findings.map(({ kind }) => kind)).toEqual(['thrown']);
  });

  it('fails the test: progress after its answer', async () => {
    let goOn = () => {};
    const went = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const late = tool('late', (_, { progress }) => {
      void went.then(() => progress(1));
      return 'done';
    });
    const server = await mockServer({ handlers: [late] });
    const peer = await sdk1Over(server.transport);
    await call(peer, 'late');
    goOn();
    await went;
    await peer.close();
    expect((await server.finish()).failures).toMatchObject([
      { text: expect.stringContaining('sent progress after its answer') },
    ]);
  });
});

it('a mock server in memory has one client, and says so to a second one', async () => {
  const server = await mockServer({ handlers: [add] });
  const [one, two] = [1, 2].map((n) => new Client({ name: `client ${n}`, version: '1.0.0' }));
  await one!.connect(server.transport);
  await expect(two!.connect(server.transport)).rejects.toThrow('[TRANSPORT_IN_USE]');
  await one!.callTool({ name: 'add', arguments: { a: 1, b: 2 } });
  expect(server.journal.requests('tools/call', { arguments: { a: 1 } })).toHaveLength(1);
  expect(server.journal.requests('tools/call', { arguments: { a: 2 } })).toHaveLength(0);
  await one!.close();
  expect(await server.finish()).toMatchObject({ failed: false });
});
