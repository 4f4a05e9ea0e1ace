import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { request as handle, type MockClient, type MockClientOptions, mockClient } from '../../../src/adapters/mock.ts';
import type { TestedServer } from '../../../src/adapters/testing.ts';
import { serve, server } from '../../e2e/http/processes.ts';
import { everything, program } from '../../support/command.ts';

const handlers = [
  handle('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada', check: true } })),
  handle('sampling/createMessage', () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'x' } })),
  handle('roots/list', () => ({ roots: [{ uri: 'file:///work', name: 'work' }] })),
];
const MODERN = { protocolVersion: '2026-07-28' } as const;
const modern: TestedServer = { command: process.execPath, args: [join('test', 'e2e', 'servers', 'modern.js')] };
const sdk1: TestedServer = {
  command: process.execPath,
  args: [
    '--input-type=module',
    '--eval',
    `import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
    import { sdk1Server } from './test/e2e/servers/sdk-1-server.js';
    await sdk1Server().connect(new StdioServerTransport());`,
  ],
};
const progressing = (token: string, more: object = {}) => ({ progressToken: token, ...more });

/** What is found of a server in a session. */
async function failures(
  server: TestedServer,
  converse: (client: MockClient) => Promise<unknown>,
  options: Partial<MockClientOptions> = {},
) {
  const client = await mockClient({ server, handlers, ...options });
  await converse(client);
  return (await client.finish()).failures;
}

const call = ({ request }: MockClient, name: string, args: object = {}, _meta?: object) =>
  request('tools/call', { name, arguments: args, ...(_meta && { _meta }) });

/** Lets the server of the SDK 1 do all that it can. */
async function converse1(client: MockClient) {
  await client.request('tools/list');
  await call(client, 'count', { to: 3 }, progressing('p'));
  await call(client, 'logs', { lines: ['a', 'b'] });
  await client.request('resources/subscribe', { uri: 'demo://notes' });
  await call(client, 'touch');
  await call(client, 'learn', { name: 'more' });
  for (const name of ['asks-a-model', 'asks-a-person', 'asks-for-roots']) await call(client, name);
}

/** Lets the server of the SDK 2 do all that it can. */
async function converse2(client: MockClient) {
  await client.request('tools/list');
  const logLevel = { 'io.modelcontextprotocol/logLevel': 'info' };
  await call(client, 'count', { to: 3 }, progressing('p', logLevel));
  await call(client, 'count', { to: 3 }, progressing('q'));
  for (const name of ['ask-model', 'ask-roots']) await call(client, name);
  await call(client, 'deploy', { target: 'here' });
  await client.request('resources/read', { uri: 'demo://notes' });
  const stop = new AbortController();
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['demo://notes'] };
  const listening = client.request('subscriptions/listen', { notifications }, { signal: stop.signal });
  await client.journal.waitFor('notifications/subscriptions/acknowledged');
  stop.abort();
  await listening.catch(() => {});
}

describe('a mock client finds nothing of', () => {
  it('the server of the SDK 1, over stdio and HTTP', async () => {
    expect(await failures(sdk1, converse1)).toEqual([]);
    await using http = await server('sdk-1.js');
    expect(await failures({ url: http.url.href }, converse1)).toEqual([]);
  });

  it.each(['2025-03-26', '2025-06-18'] as const)('the server of the SDK 1 in %s', async (protocolVersion) => {
    const options = { protocolVersion };
    expect(await failures(sdk1, converse1, options)).toEqual([]);
  });

  it('the server of the SDK 2, over stdio and HTTP', async () => {
    expect(await failures(modern, converse2, MODERN)).toEqual([]);
    await using http = await server('modern.js');
    expect(await failures({ url: http.url.href }, converse2, MODERN)).toEqual([]);
  });

  it('the server of the SDK 2 in an earlier revision', async () => {
    const legacy = async (client: MockClient) => {
      await client.request('tools/list');
      await call(client, 'count', { to: 3 }, progressing('p'));
      for (const name of ['ask-model', 'ask-roots']) await call(client, name).catch(() => {});
    };
    expect(await failures(modern, legacy)).toEqual([]);
    await using http = await server('modern.js', 'stateless');
    expect(await failures({ url: http.url.href }, (client) => call(client, 'echo', { message: 'a' }))).toEqual([]);
  });

  it('the server Everything, over stdio and HTTP', async () => {
    const converse = async (client: MockClient) => {
      await client.request('tools/list');
      await client.request('logging/setLevel', { level: 'debug' });
      await call(client, 'trigger-long-running-operation', { duration: 0.1, steps: 2 }, progressing('p'));
      await call(client, 'trigger-sampling-request', { prompt: 'a', maxTokens: 5 });
      await call(client, 'get-roots-list');
      await client.request('resources/list');
    };
    expect(await failures(everything, converse)).toEqual([]);
    const overHttp = program('@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp');
    await using http = await serve(overHttp, '/mcp');
    expect(await failures({ url: http.url.href }, converse)).toEqual([]);
  });
});
