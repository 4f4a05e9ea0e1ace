import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { request as handle, type MockClientOptions, mockClient } from '../../../src/adapters/mock.ts';
import type { TestedServer } from '../../../src/adapters/testing.ts';
import { SERVER_RULES } from '../../../src/mock/protocol-rules/server-rules.ts';
import { notification, progress, request } from '../../support/conversation.ts';

const serverInfo = { name: 'raw', version: '1' };
const CACHE = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };
const content = [{ type: 'text', text: 'done' }];
const log = (level: string) => notification('message', { level, data: 'hello' });
const form = { message: 'Sure?', requestedSchema: { type: 'object', properties: {} } };
const updated = (uri: string, _meta?: object) => notification('resources/updated', { uri, ...(_meta && { _meta }) });
/** A message after which the server says nothing more. */
const END = notification('acme/end');

interface Plan {
  capabilities?: object;
  /** What the server sends before the answer to the call, or on the subscription. */
  says?: object[];
  /** What it sends after the answer. */
  goesOn?: object[];
  result?: object;
}

/** A server without a library, which says what a test has planned. */
function raw(plan: Plan): TestedServer {
  const { capabilities = {}, says = [], goesOn = [] } = plan;
  return async (transport) => {
    const send = (message: object) => void transport.send(message as never);
    transport.onmessage = ({ id, method = '', params }) => {
      if (id === undefined || method === '') return;
      const isPlanned = method === 'tools/call' || method === 'subscriptions/listen';
      if (isPlanned) says.forEach(send);
      if (method !== 'subscriptions/listen') send({ jsonrpc: '2.0', id, result: answer(method, params) });
      if (isPlanned) [...goesOn, END].forEach(send);
    };
    await transport.start();
  };
  function answer(method: string, { protocolVersion }: Record<string, unknown> = {}): object {
    if (method === 'initialize') return { protocolVersion, capabilities, serverInfo };
    if (method === 'server/discover') return { supportedVersions: ['2026-07-28'], capabilities, ...CACHE };
    return method === 'tools/call' ? (plan.result ?? { content }) : {};
  }
}

const handlers = [
  handle('elicitation/create', () => ({ action: 'cancel' })),
  handle('sampling/createMessage', () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } })),
  handle('roots/list', () => ({ roots: [] })),
];

type Call = [method: string, params: Record<string, unknown>];
const CALL: Call = ['tools/call', { name: 't', _meta: { progressToken: 'p' } }];
const listen = (notifications: object): Call => ['subscriptions/listen', { notifications }];
const MODERN = { protocolVersion: '2026-07-28' } as const;
const ofSubscription = { 'io.modelcontextprotocol/subscriptionId': 1 };
const acknowledged = notification('subscriptions/acknowledged', { notifications: {}, _meta: ofSubscription });

interface Session extends Partial<MockClientOptions> {
  calls?: Call[];
}

/** What is found of a server that a mock client calls. */
async function failures(server: TestedServer, { calls = [CALL], ...options }: Session = {}): Promise<string[]> {
  const client = await mockClient({ server, handlers, ...options });
  for (const [method, params] of calls) {
    const called = client.request(method, params);
    if (method === 'subscriptions/listen') called.catch(() => {});
    else await called;
  }
  await client.journal.waitFor('notifications/acme/end');
  return (await client.finish()).failures.map(({ kind, text }) => `${kind}: ${text}`);
}

describe('a mock client finds that a server', () => {
  it.each<[string, Plan, string, Session?]>([
    ['makes up a progress token', { says: [progress('q', 1)] }, 'no request has given the token "q" [progress-token]'],
    ['repeats its progress', { says: [progress('p', 1), progress('p', 1)] }, 'from 1 to 1 [progress-increases]'],
    [
      'goes on with its progress',
      { goesOn: [progress('p', 1)] },
      'tools/call "t" was answered before [progress-stops]',
    ],
    ['logs without the capability', { says: [log('info')] }, 'not declared logging [notification-capability]'],
    [
      'logs with a level that there is not',
      { capabilities: { logging: {} }, says: [log('loud')] },
      'sent notifications/message with bad params: /params/level must be equal to one of the allowed values',
    ],
    [
      'says that its tools changed, without the capability',
      { capabilities: { tools: {} }, says: [notification('tools/list_changed')] },
      'not declared tools.listChanged [notification-capability]',
    ],
    [
      'says that a resource changed that nobody subscribed to',
      { capabilities: { resources: { subscribe: true } }, says: [updated('x://b')] },
      'no request has subscribed to "x://b" [resource-subscribed]',
      { calls: [['resources/subscribe', { uri: 'x://a' }], CALL] },
    ],
    [
      'says that a resource changed, but not which',
      { capabilities: { resources: { subscribe: true } }, says: [notification('resources/updated', {})] },
      "sent notifications/resources/updated with bad params: /params must have required property 'uri'",
    ],
    [
      'reports progress without a number',
      { says: [notification('progress', { progressToken: 'p', progress: 'half' })] },
      'sent notifications/progress with bad params: /params/progress must be number',
    ],
    [
      'asks for what its client has not declared',
      { says: [request(1, 'elicitation/create', form)] },
      'the client has not declared elicitation [client-capability]',
      { capabilities: {}, handlers: handlers.slice(1) },
    ],
    [
      'asks for a mode that its client has not declared',
      {
        says: [
          request(1, 'elicitation/create', { mode: 'url', message: 'a', url: 'https://a.test', elicitationId: 'e' }),
        ],
      },
      'the client has not declared elicitation.url [client-capability]',
    ],
    [
      'asks for roots with params that are none',
      { says: [request(1, 'roots/list', [] as never)] },
      'sent roots/list with bad params: /params must be object',
    ],
    ['uses an id again', { says: [request(1, 'ping'), request(1, 'ping')] }, 'the id 1 was used before [id-unique]'],
    ['uses a fraction as id', { says: [request(1.5, 'ping')] }, 'the id is 1.5 [id-type]'],
    ['sends what is no message', { says: [{ jsonrpc: '2.0', params: {} }] }, 'it is none of the three [message-kind]'],
    [
      'of 2026-07-28 asks its client',
      { says: [request(1, 'roots/list')] },
      'it asks roots/list [server-asks-nothing]',
      MODERN,
    ],
    [
      'of 2026-07-28 logs what nobody asked for',
      { capabilities: { logging: {} }, says: [log('info')], result: { content, resultType: 'complete' } },
      'has "io.modelcontextprotocol/logLevel" [log-requested]',
      MODERN,
    ],
    [
      'of 2026-07-28 notifies of what nobody listens to',
      {
        capabilities: { tools: { listChanged: true } },
        says: [acknowledged, notification('tools/list_changed', { _meta: ofSubscription })],
      },
      'tools/list_changed is not in the filter of 1 [subscription-filter]',
      { ...MODERN, calls: [listen({ promptsListChanged: true })] },
    ],
    [
      'of 2026-07-28 does not acknowledge a subscription',
      {
        capabilities: { tools: { listChanged: true } },
        says: [notification('tools/list_changed', { _meta: ofSubscription })],
      },
      'the subscription was not acknowledged [subscription-id]',
      { ...MODERN, calls: [listen({ toolsListChanged: true })] },
    ],
  ])('%s', async (_, plan, expected, session) => {
    const found = await failures(raw(plan), session);
    const [own] = found.filter((text) => text.includes(expected));
    expect(own, found.join('\n')).toMatch(/^differs: The server (has )?sent /);
    expect(await failures(raw(plan), { ...session, onDifference: 'report' })).not.toContain(own);
  });

  it('of 2026-07-28 asks in an answer for what its client has not declared', async () => {
    const asks = { resultType: 'input_required', inputRequests: { a: { method: 'elicitation/create', params: form } } };
    const asking = () => {
      const results = [asks];
      return {
        get result() {
          return results.pop() ?? { content, resultType: 'complete' };
        },
      };
    };
    const text = 'the client has not declared elicitation [input-capability]';
    expect(await failures(raw(asking()), { ...MODERN, capabilities: {} })).toEqual([expect.stringContaining(text)]);
    expect(await failures(raw(asking()), { ...MODERN, capabilities: { elicitation: {} } })).toEqual([]);
  });

  it.each<[string, Plan, Session?]>([
    [
      'that keeps to the rules',
      {
        capabilities: { logging: {}, tools: { listChanged: true }, resources: { subscribe: true } },
        says: [
          ...[log('info'), progress('p', 1), progress('p', 1.5), notification('tools/list_changed')],
          ...[updated('x://a'), updated('x://a/b'), notification('cancelled', { requestId: 9 })],
          ...[
            request(1, 'ping'),
            request('1', 'roots/list'),
            request(2, 'elicitation/create', { mode: 'form', ...form }),
          ],
          request(3, 'acme/anything', { a: 1 }),
        ],
      },
      {
        calls: [['resources/subscribe', { uri: 'x://a' }], CALL],
        handlers: [...handlers, handle('acme/anything', () => ({}))],
      },
    ],
    [
      'of 2026-07-28 that keeps to the rules',
      {
        capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
        says: [
          ...[acknowledged, notification('tools/list_changed', { _meta: ofSubscription })],
          updated('x://a/b', ofSubscription),
        ],
      },
      { ...MODERN, calls: [listen({ toolsListChanged: true, resourceSubscriptions: ['x://a'] })] },
    ],
  ])('nothing of one %s', async (_, plan, session) => {
    expect(await failures(raw(plan), session)).toEqual([]);
  });

  it('over HTTP the same, but no order of messages on different streams', async () => {
    const told: ((message: object) => void)[] = [];
    const server = createServer(async (asked, reply) => {
      const events = () => reply.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's' });
      const send = (message: object) => void reply.write(`data: ${JSON.stringify(message)}\n\n`);
      if (asked.method === 'GET') {
        events().flushHeaders();
        return void told.push(send);
      }
      const body = JSON.parse(Buffer.concat(await asked.toArray()).toString() || '{}');
      if (body.id === undefined || body.method === undefined) return void reply.writeHead(202).end();
      const { protocolVersion } = body.params;
      const result = body.method === 'initialize' ? { protocolVersion, capabilities: {}, serverInfo } : { content };
      events();
      if (body.method === 'tools/call') send(progress('q', 1));
      send({ jsonrpc: '2.0', id: body.id, result });
      reply.end();
      if (body.method === 'tools/call') for (const tell of told) [progress('p', 1), END].forEach(tell);
    });
    const url = await new Promise<string>((resolve) =>
      server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)),
    );
    const found = await failures({ url });
    server.closeAllConnections();
    server.close();
    expect(found).toEqual([expect.stringContaining('no request has given the token "q" [progress-token]')]);
  });
});

it('the page about servers has all rules', () => {
  const page = readFileSync('docs/mock-failures-reference.md', 'utf8');
  const [, section] = /^### Rules that the server keeps$(.+)/ms.exec(page)!;
  const listed = section!
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .join();
  expect(listed.match(/(?<=`)[a-z]+-[a-z-]+(?=`)/g)!.sort()).toEqual(SERVER_RULES.map(({ id }) => id).sort());
});
