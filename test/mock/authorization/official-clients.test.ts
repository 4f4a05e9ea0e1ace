/** What the official clients do against a mock server with authorization, from nothing to each way that it goes wrong. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as client2 from '@modelcontextprotocol/client';
import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer, HttpOptions } from '../../../src/adapters/mock-server/mock-server-types.ts';
import { tool } from '../../../src/mock/handler.ts';
import { client2Over } from '../../e2e/session/client-2.ts';
import type { Peer } from '../../e2e/session/peer.ts';
import { sdk1Over } from '../../e2e/session/sdk-1.ts';
import { Application, type ClientName, Connected, NAMES } from './application.ts';
import { type AuthorizationTrial, EXPIRED, goesOn, lastingPart, TRIALS } from './authorization-trials.ts';

const start = (options: Partial<HttpOptions> = {}): Promise<HttpMockServer> =>
  mockServer({
    over: 'http',
    auth: true,
    handlers: [tool('list', () => 'listed'), tool('delete', () => 'deleted')],
    ...options,
  });

/** The trial of a client without a user. */
const WITH_CREDENTIALS = 'a call needs another scope, with `ClientCredentialsProvider`';

/** What becomes of a client: the message that its user sees, or what it does to go on. */
type Outcome = { error: string } | { does: string };

/** Says what becomes of a client that connects and calls a tool twice. */
async function observe(name: ClientName, { rules, auth = true }: AuthorizationTrial): Promise<Outcome> {
  await using server = await start({ faults: rules, auth });
  const { application, outcome } = await played(name, server);
  expect((await server.finish()).failures).toEqual([]);
  if (outcome !== undefined) return { error: lastingPart(outcome) };
  return { does: goesOn(application) };
}

async function played(name: ClientName, { url }: HttpMockServer) {
  await using client = new Connected(name, url);
  const { application } = client;
  try {
    await client.open();
    expect([await client.call('list'), await client.call('list')]).toEqual(['listed', 'listed']);
    return { application, outcome: undefined };
  } catch (error) {
    return { application, outcome: (error as Error).message };
  }
}

const PAGE = readFileSync(join(import.meta.dirname, '..', '..', '..', 'docs', 'auth-sdk-clients.md'), 'utf8');
/** The rows of each table, by its heading. */
const ROWS = Object.fromEntries(
  PAGE.split('\n## ')
    .slice(1)
    .map((section) => [section.split('\n', 1)[0]!, section.match(/(?<=^\|---.*\n(?:\|.*\n)*)\|.*$/gm) ?? []]),
);

/** The row of a trial, and the heading of the table that it belongs to. */
function rowOf(trial: string, [sdk1, client2]: readonly Outcome[]): { heading: string; row: string } {
  const row = (...cells: string[]) => `| ${[trial, ...cells].join(' | ')} |`;
  if ('error' in sdk1! && 'error' in client2!)
    return { heading: 'Both fail', row: row(`\`${sdk1.error}\``, `\`${client2.error}\``) };
  const [one, other] = [sdk1!, client2!].map((seen) => ('error' in seen ? `fails: \`${seen.error}\`` : seen.does));
  return one === other ? { heading: 'Both go on', row: row(one!) } : { heading: 'They differ', row: row(one!, other!) };
}

it.each(TRIALS)('the page says what clients do when $name', async (trial) => {
  const seen = [];
  for (const name of NAMES) seen.push(await observe(name, trial));
  const { heading, row } = rowOf(trial.name, seen);
  expect(ROWS[heading]).toContain(row);
});

it('the page has no other rows', () => {
  const cases = Object.values(ROWS).flatMap((rows) => rows.map((row) => row.split(' | ')[0]!.slice(2)));
  expect(cases.sort()).toEqual([...TRIALS.map(({ name }) => name), WITH_CREDENTIALS].sort());
});

it('the page says what a client with credentials does when a call needs another scope', async () => {
  const clients = [{ id: 'job', secret: 'kept' }];
  await using server = await start({ auth: { clients, stepUp: [{ tool: 'delete', scopes: ['files:write'] }] } });
  const credentials = { clientId: 'job', clientSecret: 'kept', expectedIssuer: server.issuer! };
  const url = new URL(server.url);
  const call = (peer: Peer) => peer.request('tools/call', { name: 'delete', arguments: {} });
  const deleted = { content: [{ text: 'deleted' }] };
  const sdk1 = (scope?: string) => {
    const authProvider = new ClientCredentialsProvider({ ...credentials, ...(scope && { scope }) });
    return sdk1Over(new StreamableHTTPClientTransport(url, { authProvider }));
  };

  const refused = await sdk1();
  const words = 'Streamable HTTP error: Server returned 403 after trying upscoping';
  await expect(call(refused)).rejects.toThrow(words);
  await refused.close();
  const withAll = await sdk1('mcp files:write');
  expect(await call(withAll)).toMatchObject(deleted);
  await withAll.close();
  const authProvider = new client2.ClientCredentialsProvider(credentials);
  const peer = await client2Over(new client2.StreamableHTTPClientTransport(url, { authProvider }));
  expect(await call(peer)).toMatchObject(deleted);
  await peer.close();
  const { heading, row } = rowOf(WITH_CREDENTIALS, [{ error: words }, { does: 'asks for the scope, and goes on' }]);
  expect(ROWS[heading]).toContain(row);
});

describe.each(NAMES)('%s', (name) => {
  it('registers, is authorized by a code, and refreshes as often as its token expires', async () => {
    await using server = await start();
    await using client = await new Connected(name, server.url).open();
    expect(await client.call('list')).toBe('listed');
    for (const given of [2, 3]) {
      server.misbehave([EXPIRED]);
      expect(await client.call('list')).toBe('listed');
      expect(client.application).toMatchObject({ asked: 1, given });
    }
    expect((await server.finish()).failures).toEqual([]);
  });

  it('refreshes a token whose time is over', async () => {
    let time = 1_800_000_000_000;
    const clock = { date: () => new Date(time), now: () => time, after: () => () => {}, endOfTurn: setImmediate };
    await using server = await start({ auth: { tokenLifetime: 60 }, clock });
    await using client = await new Connected(name, server.url).open();
    expect(await client.call('list')).toBe('listed');
    time += 61_000;
    expect(await client.call('list')).toBe('listed');
    expect(client.application).toMatchObject({ asked: 1, given: 2 });
  });

  it('steps up where a tool needs more, with a server without refresh tokens', async () => {
    const auth: HttpOptions['auth'] = { refresh: 'none', stepUp: [{ tool: 'delete', scopes: ['files:write'] }] };
    await using server = await start({ auth });
    await using client = await new Connected(name, server.url).open();
    expect([await client.call('list'), await client.call('delete')]).toEqual(['listed', 'deleted']);
    expect(client.application).toMatchObject({ asked: 2, given: 2 });
  });

  it('needs no registration with a client ID metadata document, or as a client that is known', async () => {
    const known = { id: 'desk', secret: 'none of your business', redirectUris: ['http://127.0.0.1:1/back'] };
    await using server = await start({ auth: { registration: false, clients: [known] } });
    const byDocument = Object.assign(new Application(), { clientMetadataUrl: 'https://example.com/client.json' });
    const byId = new Application();
    byId.saveClientInformation({ client_id: 'desk', client_secret: known.secret });
    for (const application of [byDocument, byId]) {
      await using client = await new Connected(name, server.url, application).open();
      expect(await client.call('list')).toBe('listed');
    }
  });

  it('is authorized by an issuer with a path, and by metadata of OpenID', async () => {
    for (const discovery of ['oauth', 'openid'] as const) {
      await using server = await start({ auth: { issuerPath: '/tenant', discovery } });
      expect(server.issuer).toBe(`${new URL(server.url).origin}/tenant`);
      await using client = await new Connected(name, server.url).open();
      expect(await client.call('list')).toBe('listed');
    }
  });
});

it('a token serves clients of 2026-07-28, and those of HTTP with SSE get their own', async () => {
  await using server = await start({ faults: [EXPIRED] });
  const called = { content: [{ text: 'listed' }] };
  const call = (peer: Peer) => peer.request('tools/call', { name: 'list', arguments: {} });

  const modern = (await new Connected('client 2', server.url).open()).application;
  const transport = new client2.StreamableHTTPClientTransport(new URL(server.url), { authProvider: modern });
  const peer = await client2Over(transport, { pin: '2026-07-28' });
  expect(await call(peer)).toMatchObject(called);
  expect(modern).toMatchObject({ asked: 1, given: 2 });
  await peer.close();

  const authProvider = new Application();
  const sse = () => new SSEClientTransport(new URL('/sse', server.url), { authProvider });
  const first = sse();
  await expect(sdk1Over(first)).rejects.toThrow('Unauthorized');
  await first.finishAuth(authProvider.answer.get('code')!);
  const legacy = await sdk1Over(sse());
  expect(await call(legacy)).toMatchObject(called);
  await legacy.close();
});

it('the clients sign who they are', async () => {
  const [own, other] = [
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  ];
  const pem = (key: KeyObject, type: 'spki' | 'pkcs8') => key.export({ type, format: 'pem' }).toString();
  const clients = [{ id: 'job', publicKey: pem(own.publicKey, 'spki') }];
  await using server = await start({ auth: { clients } });
  const url = new URL(server.url);
  const open = {
    'SDK 1': (key: KeyObject) => {
      const options = { clientId: 'job', privateKey: pem(key, 'pkcs8'), algorithm: 'ES256' };
      return sdk1Over(new StreamableHTTPClientTransport(url, { authProvider: new PrivateKeyJwtProvider(options) }));
    },
    'client 2': (key: KeyObject) => {
      const options = { clientId: 'job', privateKey: pem(key, 'pkcs8'), algorithm: 'ES256' };
      const authProvider = new client2.PrivateKeyJwtProvider(options);
      return client2Over(new client2.StreamableHTTPClientTransport(url, { authProvider }));
    },
  };
  for (const name of NAMES) {
    const peer = await open[name](own.privateKey);
    expect(await peer.request('tools/call', { name: 'list', arguments: {} })).toMatchObject({
      content: [{ text: 'listed' }],
    });
    await peer.close();
    await expect(open[name](other.privateKey)).rejects.toThrow('signature verification failed');
  }
});

it('the clients come with credentials of their own', async () => {
  await using server = await start({ auth: { clients: [{ id: 'job', secret: 'kept' }] } });
  const credentials = { clientId: 'job', clientSecret: 'kept' };
  const url = new URL(server.url);
  const open = {
    'SDK 1': (clientSecret: string) =>
      sdk1Over(
        new StreamableHTTPClientTransport(url, {
          authProvider: new ClientCredentialsProvider({ ...credentials, clientSecret }),
        }),
      ),
    'client 2': (clientSecret: string) =>
      client2Over(
        new client2.StreamableHTTPClientTransport(url, {
          authProvider: new client2.ClientCredentialsProvider({ ...credentials, clientSecret }),
        }),
      ),
  };
  for (const name of NAMES) {
    const peer = await open[name]('kept');
    expect(await peer.request('tools/call', { name: 'list', arguments: {} })).toMatchObject({
      content: [{ text: 'listed' }],
    });
    await peer.close();
    await expect(open[name]('another')).rejects.toThrow('secret');
  }
});
