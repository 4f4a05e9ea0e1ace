/** What faults do to an authorization flow, as whoever talks to the servers sees it. */
import { afterEach, describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer } from '../../../src/adapters/mock-server/mock-server-types.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { tool } from '../../../src/mock/handler.ts';
import type { FaultRule } from '../../../src/modes/faulty-channel.ts';
import { type Body, INITIALIZE, RIGHT, Stranger } from './stranger.ts';

let server: HttpMockServer;
afterEach(() => server?.finish());

async function misbehaving(...faults: FaultRule[]): Promise<Stranger> {
  server = await mockServer({
    over: 'http',
    auth: true,
    onDifference: 'report',
    handlers: [tool('list', () => 'listed')],
    faults,
  });
  return new Stranger(server.url);
}
const firedOn = () => server.fired.map(({ fault, from, method, message }) => [fault, from, method, message]);
const description = ({ challenge }: { challenge: string | null }) =>
  /error_description="([^"]*)"/.exec(challenge ?? '')?.[1];
const metadataOf = async (stranger: Stranger, name: string): Promise<Body> =>
  (await stranger.get(`/.well-known/${name}`)).json();

describe('token-refused', () => {
  it('waits for a request with a token, refuses that token from then on, and names the metadata', async () => {
    const stranger = await misbehaving('token-refused');
    const [first, second] = [await stranger.tokens(), await stranger.tokens()];
    expect((await stranger.ask(undefined)).challenge).not.toContain('error=');
    for (let times = 0; times < 2; times++)
      expect(await stranger.ask(first.access_token)).toEqual({
        status: 401,
        challenge: `Bearer error="invalid_token", error_description="The access token expired", resource_metadata="${stranger.origin}/.well-known/oauth-protected-resource/mcp"`,
      });
    expect((await stranger.ask(second.access_token)).status).toBe(200);
    expect((await stranger.ask((await stranger.refresh(first.refresh_token)).body.access_token)).status).toBe(200);
    expect(firedOn()).toEqual([['token-refused', 'client', 'initialize', 2]]);
  });

  it('revoked: refuses its refresh token too, until the client is authorized anew', async () => {
    const stranger = await misbehaving('token-refused::reason=revoked');
    const { access_token: token, refresh_token: refresh } = await stranger.tokens();
    expect((await stranger.refresh(refresh)).status).toBe(200);
    const again = await stranger.tokens();
    expect(description(await stranger.ask(token))).toBe('The access token was revoked');
    expect(await stranger.refresh(again.refresh_token)).toEqual({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'The refresh token was revoked' },
    });
    const anew = await stranger.tokens();
    expect((await stranger.ask(anew.access_token)).status).toBe(200);
    expect((await stranger.refresh(anew.refresh_token)).status).toBe(200);
    expect((await stranger.ask(token)).status).toBe(401);
  });

  it('audience: refuses every token, until the client is authorized anew', async () => {
    const stranger = await misbehaving('token-refused::reason=audience');
    const { access_token: token, refresh_token: refresh } = await stranger.tokens();
    expect(description(await stranger.ask(token))).toBe('The access token was issued for another resource');
    const { body } = await stranger.refresh(refresh);
    expect((await stranger.ask(body.access_token)).status).toBe(401);
    const anew = await stranger.tokens();
    expect((await stranger.ask(anew.access_token)).status).toBe(200);
  });
});

it.each([
  [
    'token-refused',
    ({ nth }: { nth: number }): FaultRule => ({ do: 'token-refused', when: { method: 'ping', nth } }),
    401,
  ],
  [
    'http-status',
    ({ nth }: { nth: number }): FaultRule => ({ do: 'http-status', status: 503, when: { method: 'ping', nth } }),
    503,
  ],
] as const)('%s of a later rule counts the requests that an earlier one refused', async (_, rule, refused) => {
  const stranger = await misbehaving(rule({ nth: 2 }), rule({ nth: 4 }));
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const statuses: number[] = [];
  for (let n = 1; n <= 5; n++)
    statuses.push((await stranger.ask((await stranger.tokens()).access_token, ping)).status === refused ? n : 0);
  expect(statuses).toEqual([0, 2, 0, 4, 0]);
});

it('latency of oauth/refresh shows whether a client refreshes its token, or logs in again', async () => {
  const stranger = await misbehaving('latency:oauth/refresh:delay=1', 'latency:oauth/token:delay=1');
  const requests = () => server.fired.map(({ method }) => method);
  const { refresh_token: refresh } = await stranger.tokens();
  await stranger.tokens();
  expect(requests()).toEqual(['oauth/token', 'oauth/token']);
  await stranger.refresh(refresh);
  expect(requests()).toEqual(['oauth/token', 'oauth/token', 'oauth/refresh']);
});

describe('insufficient-scope', () => {
  const call = { ...INITIALIZE, method: 'tools/call', params: { name: 'list', arguments: {} } };

  it('wants a scope of each call that has it not, and no other', async () => {
    const stranger = await misbehaving('insufficient-scope::scope=files:write');
    const { access_token: less } = await stranger.tokens();
    const { access_token: more } = await stranger.tokens({ scope: 'mcp files:write' });
    expect((await stranger.ask(less)).status).toBe(200);
    for (let times = 0; times < 2; times++)
      expect(await stranger.ask(less, call)).toEqual({
        status: 403,
        challenge: expect.stringMatching(
          /^Bearer error="insufficient_scope", .* scope="mcp files:write", resource_metadata=/,
        ),
      });
    // It has passed: there is no session.
    expect((await stranger.ask(more, call)).status).toBe(400);
    expect(server.fired).toHaveLength(2);
  });

  it('that fires once still wants the scope, of that tool alone', async () => {
    const stranger = await misbehaving({ do: 'insufficient-scope', when: { tool: 'list' }, times: 1 });
    const [one, other] = [await stranger.tokens(), await stranger.tokens()];
    const statuses = [];
    for (const [{ access_token: token }, name] of [
      [one, 'list'],
      [one, 'list'],
      [other, 'list'],
      [one, 'x'],
    ] as const)
      statuses.push((await stranger.ask(token, { ...call, params: { name } })).status);
    expect(statuses).toEqual([403, 403, 403, 400]);
  });
});

describe('oauth-error', () => {
  it('denies refreshes, and nothing else', async () => {
    const stranger = await misbehaving('oauth-error');
    const { refresh_token: refresh } = await stranger.tokens();
    const denied = { error: 'invalid_grant', error_description: 'Injected by mcp-record' };
    expect(await stranger.refresh(refresh)).toEqual({ status: 400, body: denied });
    server.misbehave([]);
    // The authorization server has not heard of it.
    expect((await stranger.refresh(refresh)).status).toBe(200);
  });

  it('refuses registrations and tokens', async () => {
    const stranger = await misbehaving('oauth-error:oauth/register', {
      do: 'oauth-error',
      when: { method: 'oauth/token', nth: 2 },
      error: 'invalid_client',
      description: 'Who are you?',
    });
    expect(await stranger.register({ redirect_uris: [RIGHT.redirect_uri] })).toMatchObject({
      status: 400,
      body: { error: 'invalid_client_metadata' },
    });
    await stranger.tokens();
    expect(await stranger.exchange(await stranger.code())).toEqual({
      status: 401,
      body: { error: 'invalid_client', error_description: 'Who are you?' },
    });
  });

  it('lets no user agree, and redirects to this machine alone', async () => {
    const stranger = await misbehaving('oauth-error:oauth/authorize');
    const { back, status } = await stranger.authorize();
    expect([status, Object.fromEntries(back!.searchParams)]).toEqual([
      302,
      { error: 'access_denied', error_description: 'Injected by mcp-record', state: RIGHT.state },
    ]);
    for (const redirect_uri of [
      'https://evil.example',
      'http://evil.example',
      'http://127.0.0.1@evil.example',
      'javascript://127.0.0.1/%0aalert(1)',
      'x',
    ])
      expect(await stranger.authorize({ redirect_uri })).toEqual({ status: 400, body: expect.any(String) });
  });
});

describe('wrong-issuer', () => {
  it('changes the metadata of the authorization server', async () => {
    const stranger = await misbehaving('wrong-issuer');
    const metadata = await metadataOf(stranger, 'oauth-authorization-server');
    expect(metadata).toMatchObject({ issuer: 'https://issuer.invalid', token_endpoint: `${stranger.origin}/token` });
    expect(await metadataOf(stranger, 'oauth-protected-resource')).toMatchObject({
      authorization_servers: [stranger.origin],
    });
  });

  it('changes those of the resource, where it is about them', async () => {
    const stranger = await misbehaving('wrong-issuer:oauth/resource-metadata:issuer=https://other.example');
    expect(await metadataOf(stranger, 'oauth-protected-resource')).toMatchObject({
      authorization_servers: ['https://other.example'],
    });
    expect(await metadataOf(stranger, 'oauth-authorization-server')).toMatchObject({ issuer: stranger.origin });
  });

  it('changes, or takes, what comes with a code', async () => {
    const stranger = await misbehaving('wrong-issuer:oauth/authorize', {
      do: 'wrong-issuer',
      when: { method: 'oauth/authorize', nth: 2 },
      issuer: '',
    });
    const [first, second] = [(await stranger.authorize()).back!, (await stranger.authorize()).back!];
    expect(first.searchParams.get('iss')).toBe('https://issuer.invalid');
    expect(Object.fromEntries(second.searchParams)).toEqual({ code: expect.any(String), state: RIGHT.state });
    for (const { searchParams } of [first, second])
      expect((await stranger.exchange(searchParams.get('code')!)).status).toBe(200);
  });
});

describe('other faults', () => {
  it('reach each request of a flow by its name', async () => {
    const stranger = await misbehaving();
    const { refresh_token: refresh } = await stranger.tokens();
    const requests: Record<string, () => Promise<number>> = {
      'resource-metadata': () => stranger.statusOf('/.well-known/oauth-protected-resource/mcp', {}),
      'server-metadata': () => stranger.statusOf('/.well-known/oauth-authorization-server', {}),
      register: () => stranger.statusOf('/register', {}, 'POST'),
      authorize: () => stranger.statusOf('/authorize?client_id=x', {}),
      token: async () => (await stranger.exchange('x')).status,
      refresh: async () => (await stranger.refresh(refresh)).status,
      keys: () => stranger.statusOf('/jwks', {}),
    };
    for (const name of Object.keys(requests)) {
      server.misbehave([{ do: 'http-status', status: 418, body: '{}', when: { method: `oauth/${name}` } }]);
      const refused = [];
      for (const [other, ask] of Object.entries(requests)) if ((await ask()) === 418) refused.push(other);
      expect(refused).toEqual([name]);
    }
    server.misbehave([{ do: 'http-status', status: 418, body: '{}', when: { from: 'client', kind: 'authorization' } }]);
    for (const ask of Object.values(requests)) expect(await ask()).toBe(418);
  });

  it('leave a flow alone that they do not name, and do not count it', async () => {
    const stranger = await misbehaving('drop', {
      do: 'error-reply',
      when: { from: 'client', kind: 'request', after: 1 },
    });
    const { access_token: token } = await stranger.tokens();
    expect(server.fired).toEqual([]);
    server.misbehave([{ do: 'http-status', status: 503, when: { from: 'client', after: 1 } }]);
    await stranger.tokens();
    expect((await stranger.ask(token)).status).toBe(200);
    expect((await stranger.ask(token)).status).toBe(503);
    server.misbehave([{ do: 'error-reply', when: { kind: 'response', after: 1 } }]);
    await stranger.tokens();
    await stranger.ask(token);
    await stranger.ask(token);
    expect(firedOn().slice(1)).toEqual([['error-reply', 'server', 'initialize', 2]]);
    expect((await server.finish()).failures).toMatchObject([{ text: 'Rule 1 (drop) never fired.' }, {}]);
  });

  it('change, hold and break its answers', async () => {
    const clock = new ManualClock();
    server = await mockServer({
      over: 'http',
      auth: true,
      clock,
      faults: [
        { do: 'patch', when: { method: 'oauth/server-metadata' }, merge: { token_endpoint: null, more: 1 } },
        { do: 'latency', delay: 5000, when: { kind: 'authorization', method: 'oauth/keys' } },
        { do: 'cut', when: { method: 'oauth/register' } },
        { do: 'http-status', status: 418, when: { from: 'server', method: 'oauth/authorize' } },
      ],
    });
    const stranger = new Stranger(server.url);
    const metadata = await metadataOf(stranger, 'oauth-authorization-server');
    expect([metadata.more, 'token_endpoint' in metadata]).toEqual([1, false]);
    await expect(stranger.register({ redirect_uris: [RIGHT.redirect_uri] })).rejects.toThrow();
    expect(await stranger.authorize()).toMatchObject({ status: 418 });
    const keys = stranger.get('/jwks').then(() => clock.now());
    while (server.fired.length < 4) await new Promise(setImmediate);
    clock.advance(5000);
    expect(await keys).toBe(5000);
  });
});

it('what is said to an authorization server is in no journal', async () => {
  const stranger = await misbehaving('latency:oauth/token:delay=1');
  const { access_token: token } = await stranger.tokens();
  await stranger.register({ jsonrpc: '2.0', id: 1, method: 'x', redirect_uris: [RIGHT.redirect_uri] });
  await stranger.ask(token);
  expect(server.journal.entries.map(({ method }) => method)).toEqual(['initialize']);
  expect(JSON.stringify(server.fired)).not.toContain(token);
});

it.each([
  [{ do: 'drop', when: { method: 'oauth/tokens' } }, 'there is no "oauth/tokens"'],
  [{ do: 'drop', when: { method: 'oauth/token', kind: 'request' } }, 'no "kind: request"'],
  [{ do: 'drop', when: { kind: 'authorization', tool: 'list' } }, 'has no "tool"'],
  [{ do: 'oauth-error', when: { from: 'server' } }, 'only a request of the client'],
  [{ do: 'oauth-error', when: { method: 'oauth/keys' } }, 'for metadata there is http-status'],
  [{ do: 'wrong-issuer', when: { method: 'oauth/token' } }, 'it is about answers to'],
  [{ do: 'token-refused', when: { from: 'server' } }, 'only a request of the client'],
  [{ do: 'token-refused', reason: 'tired' }, 'expired or revoked or audience'],
] as const)('refuses the rule %o', async (rule, why) => {
  await expect(misbehaving(rule)).rejects.toThrow(why);
});

it('has no meaning in memory, and authorization none but over HTTP', async () => {
  const handlers = [tool('list', () => '')];
  const faults = [{ do: 'drop', when: { method: 'oauth/token' } }];
  await expect(mockServer({ handlers, faults })).rejects.toThrow('over memory there is no authorization');
  for (const over of ['memory', 'stdio'])
    await expect(mockServer({ over, handlers, auth: true } as never)).rejects.toThrow(
      'authorization exists over HTTP only',
    );
});
