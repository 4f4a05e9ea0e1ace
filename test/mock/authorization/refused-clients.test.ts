/** Clients that were refused for their token, and gave up without a word. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, describe, expect, it } from 'vitest';
import { insufficientScope, tokenRefused } from '../../../src/adapters/faults.ts';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import type { HttpMockServer, HttpOptions } from '../../../src/adapters/testing.ts';
import type { WireFrame } from '../../../src/channel/frame.ts';
import { RefusedClients } from '../../../src/mock/authorization/refused-clients.ts';
import { JsonText } from '../../../src/protocol/json-text.ts';
import { META } from '../../../src/protocol/meta.ts';
import { INITIALIZE, Stranger } from './stranger.ts';

const call = (name: string, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name, ...more },
});
const initialize = (name: string) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { clientInfo: { name, version: '1' } },
});
const inSession = (id: string) => ({ 'mcp-session-id': id });
const frame = (stream: number, value: object): WireFrame => ({
  kind: 'message',
  at: 0,
  from: 'client',
  stream,
  json: new JsonText(JSON.stringify(value)),
});
const texts = (clients: RefusedClients) => clients.findings.map(({ text }) => text);

describe('a client that is refused with 401', () => {
  it('has given up, until the same request is accepted in its session', () => {
    const clients = new RefusedClients(true);
    clients.decided({ headers: inSession('b'), value: call('zero') }, undefined);
    for (const name of ['one', 'two']) clients.decided({ headers: inSession('a'), value: call(name) }, 401);
    clients.decided({ headers: inSession('b'), value: call('three') }, undefined);
    expect(texts(clients)).toEqual([
      'The client was refused with 401 at tools/call "one", and never came back with a valid token.',
    ]);
    clients.decided({ headers: inSession('a'), value: call('other') }, undefined);
    clients.decided({ headers: inSession('a'), value: call('one', { arguments: { city: 'Rome' } }) }, undefined);
    expect(texts(clients)).toEqual([
      'The client was refused with 401 at tools/call "one", and came back with a token, but never made this request again.',
    ]);
    clients.decided({ headers: inSession('a'), value: call('one', { _meta: { progressToken: 2 } }) }, undefined);
    expect(texts(clients)).toEqual([expect.stringContaining('"two"')]);
    clients.decided({ headers: inSession('a'), value: call('two') }, undefined);
    expect(texts(clients)).toEqual([]);
  });

  it('comes back with a new session as well, but not in the session of another client', () => {
    const clients = new RefusedClients(true);
    clients.decided({ headers: inSession('b'), value: call('one') }, undefined);
    clients.decided({ headers: inSession('a'), value: [call('one')] }, 401);
    clients.decided({ headers: inSession('b'), value: call('one') }, undefined);
    clients.decided({ headers: {}, value: initialize('a') }, undefined);
    expect(texts(clients)).toHaveLength(1);
    clients.decided({ headers: inSession('c'), value: call('one') }, undefined);
    expect(texts(clients)).toEqual([]);
  });

  it('has not come back if a client of another name is accepted', () => {
    const clients = new RefusedClients(true);
    clients.decided({ headers: {}, value: initialize('a') }, 401);
    clients.decided({ headers: {}, value: initialize('b') }, undefined);
    expect(texts(clients)).toEqual([
      'The client "a" was refused with 401 at initialize, and never came back with a valid token.',
    ]);
    clients.decided({ headers: {}, value: initialize('a') }, undefined);
    expect(texts(clients)).toEqual([]);
  });

  it('may begin with another request, which names the client', () => {
    const info = { [META.clientInfo]: { name: 'a', version: '1' } };
    const discover = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: info } };
    for (const accepted of [initialize('a'), call('one', { _meta: info })]) {
      const clients = new RefusedClients(true);
      clients.decided({ headers: {}, value: discover }, 401);
      clients.decided({ headers: {}, value: call('one') }, undefined);
      expect(texts(clients)).toHaveLength(1);
      clients.decided({ headers: {}, value: accepted }, undefined);
      expect(texts(clients)).toEqual([]);
    }
  });

  it('is told from others by the session that its name began', () => {
    const clients = new RefusedClients(true);
    const begin = (name: string, stream: number) => {
      clients.asked(frame(stream, initialize(name)));
      clients.answered(stream, inSession(`of ${name}`));
      clients.delivered({ kind: 'http-response', at: 0, from: 'server', status: 200, stream });
    };
    const say = (name: string, value: object, status?: number) =>
      clients.decided({ headers: inSession(`of ${name}`), value }, status);
    begin('alpha', 1);
    say('alpha', call('one'), 401);
    begin('beta', 2);
    say('beta', { jsonrpc: '2.0', method: 'notifications/initialized' });
    say('beta', call('one'));
    clients.decided({ headers: {}, value: call('one') }, undefined);
    expect(texts(clients)).toEqual([
      'The client "alpha" was refused with 401 at tools/call "one", and never came back with a valid token.',
    ]);
    say('beta', call('one'), 403);
    expect(texts(clients)).toHaveLength(2);
    clients.decided({ headers: inSession('another'), value: initialize('alpha') }, undefined);
    expect(texts(clients)).toContainEqual(
      expect.stringContaining('"alpha" was refused with 401 at tools/call "one", and came back'),
    );
    clients.decided({ headers: inSession('another'), value: call('one') }, undefined);
    expect(texts(clients)).toEqual([
      'The client "beta" was refused with 403 at tools/call "one", and never made this request with a token that allows it.',
    ]);
    clients.reset();
    say('alpha', call('two'), 401);
    say('beta', call('two'));
    expect(texts(clients)).toHaveLength(1);
  });

  it('is told from others by the session in the URL of HTTP with SSE', () => {
    const clients = new RefusedClients(true);
    const say = (id: string, value: object, status?: number) =>
      clients.decided({ headers: {}, target: `/messages?sessionId=${id}`, value }, status);
    say('a', initialize('alpha'));
    say('a', call('one'), 401);
    say('b', initialize('beta'));
    say('b', call('one'));
    expect(texts(clients)).toEqual([
      'The client "alpha" was refused with 401 at tools/call "one", and never came back with a valid token.',
    ]);
    say('a', call('one'));
    expect(texts(clients)).toEqual([]);
  });

  it('is not told from others if neither a session nor a name says which client it is', () => {
    const clients = new RefusedClients(true);
    for (const status of [401, undefined])
      clients.decided({ headers: {}, value: call(status === 401 ? 'one' : 'two') }, status);
    clients.decided({ headers: {}, value: initialize('a') }, undefined);
    expect(texts(clients)).toEqual([
      'The client was refused with 401 at tools/call "one", and never made this request again with a valid token.',
    ]);
    clients.decided({ headers: {}, value: call('one') }, undefined);
    expect(texts(clients)).toEqual([]);
  });

  it('does not come back by asking for a token, or by a body that is no message', () => {
    const clients = new RefusedClients(true);
    const post = (body: string, status?: number) =>
      clients.decidedRequest({ method: 'POST', headers: {}, body }, status);
    post(JSON.stringify(call('one')), 401);
    post('grant_type=client_credentials');
    post('{"redirect_uris":[]}');
    clients.decidedRequest({ method: 'GET', headers: {}, body: '' }, undefined);
    expect(texts(clients)).toHaveLength(1);
    clients.reset();
    expect(texts(clients)).toEqual([]);
  });
});

describe('a client whose message without an answer is refused', () => {
  const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const CANCELLED = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
  const GOT_BACK = 'and came back with a token, but never made this request again.';

  it('has given up, until the same notification or answer is accepted', () => {
    const clients = new RefusedClients(true);
    const say = (value: object, status?: number) => clients.decided({ headers: inSession('a'), value }, status);
    say(INITIALIZED, 401);
    expect(texts(clients)).toEqual([
      'The client was refused with 401 at notifications/initialized, and never came back with a valid token.',
    ]);
    say(CANCELLED);
    expect(texts(clients)).toEqual([`The client was refused with 401 at notifications/initialized, ${GOT_BACK}`]);
    say(INITIALIZED);
    expect(texts(clients)).toEqual([]);
    const answer = { jsonrpc: '2.0', id: 7, result: { action: 'accept' } };
    say(answer, 401);
    say({ ...answer, id: 8 });
    expect(texts(clients)).toEqual([`The client was refused with 401 at the answer to request 7, ${GOT_BACK}`]);
    say(answer);
    expect(texts(clients)).toEqual([]);
  });

  it.each(['GET', 'DELETE'])('has given up, until the same %s is accepted', (method) => {
    const clients = new RefusedClients(true);
    const ask = (one: string, status?: number) =>
      clients.decidedRequest({ method: one, headers: inSession('a'), body: '' }, status);
    ask(method, 401);
    expect(texts(clients)).toEqual([
      `The client was refused with 401 at ${method}, and never came back with a valid token.`,
    ]);
    ask(method === 'GET' ? 'DELETE' : 'GET');
    clients.decided({ headers: inSession('a'), value: CANCELLED }, undefined);
    expect(texts(clients)).toEqual([`The client was refused with 401 at ${method}, ${GOT_BACK}`]);
    ask(method);
    expect(texts(clients)).toEqual([]);
    ask(method, 403);
    expect(texts(clients)).toEqual([expect.stringContaining(`refused with 403 at ${method}, and never made`)]);
  });

  it('may look for the need of a token with a GET, and begin with a message', () => {
    const clients = new RefusedClients(true);
    const probe = { method: 'GET', headers: { accept: 'text/event-stream' }, body: '' };
    clients.decidedRequest(probe, 401);
    expect(texts(clients)).toEqual([expect.stringContaining('refused with 401 at GET')]);
    clients.decided({ headers: {}, value: initialize('a') }, undefined);
    expect(texts(clients)).toEqual([]);
    clients.decidedRequest({ method: 'GET', headers: { accept: 'text/html' }, body: '' }, 401);
    expect(texts(clients)).toEqual([]);
  });

  it.each(['open', 'message'] as const)('is found by the frames that a proxy delivers (%s)', (kind) => {
    const clients = new RefusedClients(true);
    const of = { at: 0, from: 'client', stream: 1, headers: inSession('a') } as const;
    clients.asked(
      kind === 'open'
        ? { ...of, kind, method: 'GET' }
        : { ...of, kind, json: new JsonText(JSON.stringify(INITIALIZED)) },
    );
    clients.delivered({ kind: 'http-response', at: 0, from: 'server', status: 401, stream: 1 });
    expect(texts(clients)).toHaveLength(1);
  });
});

it('a client that is refused with 403 has given up, until the same request is accepted', () => {
  const clients = new RefusedClients(true);
  clients.decided({ headers: {}, value: call('one') }, 403);
  clients.decided({ headers: {}, value: call('two') }, undefined);
  expect(texts(clients)).toEqual([
    'The client was refused with 403 at tools/call "one", and never made this request with a token that allows it.',
  ]);
  clients.decided({ headers: {}, value: call('one') }, undefined);
  expect(texts(clients)).toEqual([]);
});

describe('the outcome of a mock server', () => {
  let server: HttpMockServer;
  afterEach(() => server.finish());
  const start = async (more: Partial<HttpOptions> = {}) => {
    const handlers = [tool('list', () => 'listed')];
    server = await mockServer({ over: 'http', auth: { tokens: ['k', 'l'] }, handlers, ...more });
    return new Stranger(server.url);
  };
  const found = async () => {
    const { findings, failed } = await server.finish();
    return { failed, texts: findings.filter(({ kind }) => kind === 'unauthorized').map(({ text }) => text) };
  };
  const GAVE_UP = [expect.stringContaining('refused with 401 at initialize, and never came back with a valid token')];

  it.each([
    [{}, false, true],
    [{}, true, false],
    [{ onUnused: 'report' }, false, false],
    [{ onUnused: 'fail' }, true, true],
    [{ onDifference: 'fail' }, true, true],
    [{ onDifference: 'report' }, true, false],
  ] as const)(
    'has a client that never gets a token: with %j, and another one that does: %j, it fails: %j',
    async (more, isIn, failed) => {
      const stranger = await start(more);
      if (isIn)
        await stranger.ask('k', {
          ...INITIALIZE,
          params: { ...INITIALIZE.params, clientInfo: { name: 'in', version: '1' } },
        });
      expect((await stranger.ask(undefined)).status).toBe(401);
      expect(await found()).toEqual({
        failed,
        texts: [expect.stringMatching(/refused with 401 at initialize, and never/)],
      });
    },
  );

  it('has no client that comes back', async () => {
    const stranger = await start({ onUnused: 'fail' });
    for (const token of [undefined, 'k']) await stranger.ask(token);
    expect(await found()).toEqual({ failed: false, texts: [] });
  });

  it.each([
    [{ tokens: ['k', 'l'] }, tokenRefused({ on: 'initialize' })],
    [false, tokenRefused({ on: 'initialize' })],
  ])('has a client that a fault refuses, with auth: %j', async (auth, fault) => {
    const stranger = await start({ auth, faults: [fault] });
    expect((await stranger.ask('k')).status).toBe(401);
    expect(await found()).toEqual({ failed: false, texts: GAVE_UP });
    const other = await start({ auth, faults: [fault] });
    for (const token of ['k', 'l']) await other.ask(token);
    expect(await found()).toEqual({ failed: false, texts: [] });
  });

  it.each([401, 403])(
    'has a client that is refused with %i, although one of another name makes the same call',
    async (status) => {
      const fault = status === 401 ? tokenRefused : insufficientScope;
      const faults = [fault({ on: 'tools/call', nth: 1, ...(status === 403 && { scope: 'a' }) })];
      await start({ faults, onUnused: 'fail' });
      for (const [name, token] of [
        ['alpha', 'k'],
        ['beta', 'l'],
      ] as const) {
        const client = new Client({ name, version: '1.0.0' });
        const headers = { Authorization: `Bearer ${token}` };
        await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
        await client.callTool({ name: 'list' }).catch(() => {});
        await client.close();
      }
      expect(await found()).toEqual({
        failed: true,
        texts: [
          expect.stringContaining(`The client "alpha" was refused with ${status} at tools/call "list", and never`),
        ],
      });
    },
  );

  it('has a client that needs another scope, by a rule or by a fault', async () => {
    const stepUp = await start({ auth: { stepUp: [{ method: 'initialize', scopes: ['a'] }] } });
    const { access_token: token } = await stepUp.tokens();
    expect((await stepUp.ask(token)).status).toBe(403);
    expect((await found()).texts).toEqual([expect.stringContaining('refused with 403 at initialize')]);
    const faulty = await start({ auth: false, faults: [insufficientScope({ on: 'initialize', scope: 'a' })] });
    expect((await faulty.ask('k')).status).toBe(403);
    expect((await found()).texts).toEqual([expect.stringContaining('refused with 403 at initialize')]);
  });

  it('forgets clients with a reset', async () => {
    const stranger = await start();
    await stranger.ask(undefined);
    const { failures } = await server.reset();
    expect(failures.map(({ kind }) => kind)).toContain('unauthorized');
    expect((await found()).texts).toEqual([]);
  });
});
