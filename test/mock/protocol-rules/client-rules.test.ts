import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openHandlerEndpoint } from '../../../src/adapters/endpoint/handlers-only-endpoint.ts';
import { CHECKED_MESSAGES_MAX, CheckedSession } from '../../../src/mock/protocol-rules/checked-session.ts';
import { CLIENT_RULES, DECLARED_CAPABILITY_RULES } from '../../../src/mock/protocol-rules/client-rules.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { call, cancel, notification, progress, request } from '../../support/conversation.ts';
import { handlers } from './asking-handlers.ts';
import { type Over, type RawClient, type RawOptions, rawClient } from './raw-client.ts';

const OVER: Over[] = ['memory', 'stdio', 'http'];
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const initialize = (capabilities: object = {}) => request(0, 'initialize', { ...params, capabilities });
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = (id: number, method: string, params: object = {}) => request(id, method, { ...params, _meta: META });
/** What is found of a client that converses so. */
async function failures(
  converse: (client: RawClient) => Promise<unknown>,
  { over = 'memory', ...options }: { over?: Over } & RawOptions = {},
): Promise<string[]> {
  const client = await rawClient(over, { handlers, ...options });
  await converse(client);
  return (await client.end()).map(({ kind, text }) => `${kind}: ${text}`);
}

/** Makes the handshake. */
async function open({ ask, send }: RawClient, capabilities: object = {}): Promise<void> {
  await ask(initialize(capabilities));
  await send(notification('initialized'));
}

/** Calls a tool that asks, and lets the test answer. */
async function asked(client: RawClient): Promise<string> {
  await open(client, { elicitation: {} });
  const { id } = await client.ask(call(1, 'ask'));
  return id as string;
}
const accept = (id: string) => ({ jsonrpc: '2.0', id, result: { action: 'accept' } });

describe('a mock server with handlers finds that its client', () => {
  it.each<[string, (client: RawClient) => Promise<unknown>, string]>([
    ['calls before initialize', async ({ ask }) => ask(call(1, 't')), 'initialize-first: tools/call came before'],
    [
      'lists before initialize',
      async (client) => {
        await client.ask(request(7, 'tools/list'));
        await open(client);
      },
      'initialize-first: tools/list came before the answer to initialize',
    ],
    [
      'initializes twice',
      async (client) => {
        await open(client);
        await client.ask({ ...initialize(), id: 5 });
      },
      'initialize-once: the session was initialized before',
    ],
    [
      'never sends notifications/initialized',
      async ({ ask }) => {
        await ask(initialize());
        await ask(call(1, 't'));
      },
      'initialized-follows: notifications/initialized had not been sent',
    ],
    [
      'uses an id again',
      async (client) => {
        await open(client);
        await client.ask(call(1, 't'));
        await client.ask(request(1, 'tools/list'));
      },
      'id-unique: the id 1 was used before',
    ],
    [
      'makes up a cursor',
      async (client) => {
        await open(client);
        await client.ask(request(1, 'prompts/list', { cursor: 'three' }));
      },
      'cursor-opaque: no answer has given this cursor',
    ],
    [
      'uses the cursor of another list',
      async (client) => {
        await open(client);
        await client.ask(request(1, 'prompts/list'));
        await client.ask(request(2, 'tools/list', { cursor: 'two' }));
      },
      'cursor-opaque: no answer has given this cursor',
    ],
    [
      'makes up a progress token',
      async (client) => {
        const id = await asked(client);
        await client.send(progress('q', 1));
        await client.ask(accept(id));
      },
      'progress-token: no request has given the token "q"',
    ],
    [
      'repeats its progress',
      async (client) => {
        const id = await asked(client);
        await client.send(progress('p', 1));
        await client.send(progress('p', 1));
        await client.ask(accept(id));
      },
      'progress-increases: it went from 1 to 1',
    ],
    [
      'sends progress after its answer',
      async (client) => {
        const id = await asked(client);
        await client.ask(accept(id));
        await client.send(progress('p', 1));
      },
      'progress-stops: elicitation/create was answered before',
    ],
    [
      'says that its roots changed, without the capability',
      async (client) => {
        await open(client);
        await client.send(notification('roots/list_changed'));
      },
      'notification-capability: the client has not declared roots.listChanged',
    ],
    [
      'cancels initialize',
      async (client) => {
        await open(client);
        await client.send(cancel(0));
      },
      'initialize-not-cancelled: it names initialize',
    ],
    [
      'sends what is no message',
      async (client) => {
        await open(client);
        await client.send({ jsonrpc: '2.0', params: {} });
      },
      'message-kind: it is none of the three',
    ],
    [
      'answers with an error that has no code',
      async (client) => {
        const id = await asked(client);
        await client.ask({ jsonrpc: '2.0', id, error: { message: 'no' } });
      },
      'response-shape: the error has no integer code',
    ],
    [
      'answers with a result and an error',
      async (client) => {
        const id = await asked(client);
        await client.ask({ ...accept(id), error: null });
      },
      'response-shape: it has both',
    ],
    [
      'of 2026-07-28 uses a removed method',
      async ({ ask }) => {
        await ask(modern(1, 'tools/list'));
        await ask(modern(2, 'logging/setLevel', { level: 'info' }));
      },
      'removed-method: logging/setLevel was removed',
    ],
    [
      'of 2026-07-28 does not describe itself',
      async ({ ask }) => {
        await ask(modern(1, 'tools/list'));
        await ask(request(2, 'prompts/list'));
      },
      'request-describes-itself: "io.modelcontextprotocol/protocolVersion" is missing',
    ],
    [
      'of 2026-07-28 uses the id of an open request',
      async ({ send, next }) => {
        await send(modern(1, 'tools/list'));
        await send(modern(2, 'tools/call', { name: 'ask' }));
        await send(modern(3, 'tools/call', { name: 'slow' }));
        await send(modern(3, 'tools/list'));
        await next();
      },
      'id-unique: the id 3 was used before',
    ],
    [
      'of 2026-07-28 makes up a requestState',
      async ({ ask }) => ask(modern(1, 'tools/call', { name: 't', requestState: 'x' })),
      'request-state: no answer has given this requestState',
    ],
  ])('%s', async (_, converse, expected) => {
    const [rule, why] = expected.split(/: (.*)/);
    const found = await failures(converse);
    const own = found.filter((text) => text.includes(`[${rule}]`));
    expect(own, found.join('\n')).toEqual([expect.stringContaining(why!)]);
    expect(own[0]).toMatch(/^differs: The client /);
  });
});

describe.each(OVER)('over %s, a mock server with handlers', (over) => {
  it('finds what its client does in a wrong order, once for each rule', async () => {
    const found = await failures(
      async ({ ask }) => {
        await ask(initialize());
        await ask(call(1, 't'));
        await ask(call(1, 't'));
        await ask(call(1, 't'));
      },
      { over },
    );
    expect(found).toEqual([
      expect.stringMatching(/^differs: The client sent tools\/call "t", which .+ \(1 more\) \[id-unique\]/),
      expect.stringContaining('[initialized-follows]'),
    ]);
  });

  it('finds nothing of a client that keeps to the rules', async () => {
    const found = await failures(
      async (client) => {
        const id = await asked(client);
        await client.send(progress('p', 1));
        await client.send(progress('p', 2.5));
        await client.ask(accept(id));
        await client.ask(request(2, 'prompts/list'));
        await client.ask(request('2', 'prompts/list', { cursor: 'two' }));
        // A cancellation may come too late.
        await client.send(cancel(2));
        await client.send(cancel(77));
      },
      { over },
    );
    expect(found).toEqual([]);
  });
});

describe('over HTTP, a mock server with handlers finds that its client', () => {
  it.each<[string, (client: RawClient) => Promise<unknown>, string[]]>([
    [
      'leaves out the session id',
      async (client) => {
        await open(client);
        await client.ask(call(1, 't'), { 'mcp-session-id': undefined });
      },
      ['differs: The client sent a POST of tools/call, refused with HTTP 400: Mcp-Session-Id is missing.'],
    ],
    [
      'leaves out the revision, once',
      async (client) => {
        await open(client);
        await client.ask(call(1, 't'), { 'mcp-protocol-version': undefined });
        await client.ask(request(2, 'tools/list'), { 'mcp-protocol-version': undefined });
      },
      ['differs: The client sent a POST of tools/call without MCP-Protocol-Version, though 2025-11-25 was negotiated.'],
    ],
    [
      'names another revision',
      async (client) => {
        await open(client);
        await client.ask(call(1, 't'), { 'mcp-protocol-version': '2025-03-26' });
      },
      [
        'differs: The client sent a POST of tools/call with MCP-Protocol-Version: 2025-03-26, though 2025-11-25 was negotiated.',
      ],
    ],
    [
      'answers what was never asked, and twice',
      async (client) => {
        const id = await asked(client);
        await client.ask(accept(id));
        await client.send(accept(id));
        await client.send(accept('z'));
      },
      [
        'stray: A response came to no open request: {"jsonrpc":"2.0","id":1,"result":{"action":"accept"}}',
        'stray: A response came to no open request: {"jsonrpc":"2.0","id":"z","result":{"action":"accept"}}',
      ],
    ],
  ])('%s', async (_, converse, expected) => {
    expect(await failures(converse, { over: 'http' })).toEqual(expected);
  });

  it('but needs no revision in the header up to 2025-03-26', async () => {
    const found = await failures(
      async ({ ask, send }) => {
        await ask(request(0, 'initialize', { ...params, protocolVersion: '2025-03-26' }));
        await send(notification('initialized'), { 'mcp-protocol-version': undefined });
        await ask(call(1, 't'), { 'mcp-protocol-version': undefined });
      },
      { over: 'http' },
    );
    expect(found).toEqual([]);
  });
});

describe('a mock server with handlers', () => {
  it('finds that its client uses what the test did not let it declare', async () => {
    const lists = async (client: RawClient) => {
      await open(client);
      await client.ask(request(1, 'prompts/list'));
    };
    expect(await failures(lists, { capabilities: { tools: {} } })).toEqual([
      expect.stringContaining('the server has not declared prompts [server-capability]'),
    ]);
    expect(await failures(lists)).toEqual([]);
  });

  it.each(OVER)('finds nothing over %s of a session with a fault, which may be the cause', async (over) => {
    const calls = async (client: RawClient) => {
      await client.ask(initialize());
      await client.ask(call(1, 't'));
    };
    expect(await failures(calls, { over, faults: ['latency:tools/call:delay=1'] })).toEqual([]);
  });

  it('says what was found so far, while the session goes on', async () => {
    const endpoint = openHandlerEndpoint({ handlers });
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
    };
    const post = (message: object, session: object = {}) => {
      const body = JSON.stringify(message);
      const init = { method: 'POST', headers: { ...headers, ...session }, body };
      return endpoint.fetch(new Request('http://127.0.0.1/mcp', init));
    };
    const opened = await post(initialize());
    await post(call(1, 't'), { 'mcp-session-id': opened.headers.get('mcp-session-id')! });
    const found = [expect.objectContaining({ text: expect.stringContaining('[initialized-follows]') })];
    expect(endpoint.outcome().failures).toEqual(found);
    expect(endpoint.outcome().failures).toEqual(found);
    expect(endpoint.finish().failures).toEqual(found);
  });

  it('checks the first messages of a long session', () => {
    const session = new CheckedSession('client');
    const add = (id: number) => session.add('client', new JsonText(JSON.stringify(request(id, 'ping'))));
    for (let id = 1; id < CHECKED_MESSAGES_MAX; id++) add(id);
    add(1);
    add(2);
    const isUnique = CLIENT_RULES.filter(({ id }) => id === 'id-unique');
    expect(session.findings(isUnique)).toEqual([
      { kind: 'differs', text: expect.stringContaining('the id 1 was used before [id-unique]') },
    ]);
  });
});

it('the page about mock servers has all rules', () => {
  const page = readFileSync('docs/mock-failures-reference.md', 'utf8');
  const [, section] = /^### Rules that the client keeps$(.+?)^## /ms.exec(page)!;
  const listed = section!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .join();
  const ids = [...CLIENT_RULES, ...DECLARED_CAPABILITY_RULES].map(({ id }) => id);
  expect(listed.match(/(?<=`)[a-z]+-[a-z-]+(?=`)/g)!.sort()).toEqual(ids.sort());
});
