/** What the authorization server of a mock server says to strangers: to those who do everything right, and to all others. */
import { createRemoteJWKSet, exportSPKI, generateKeyPair, jwtVerify, SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer } from '../../../src/adapters/mock-server/mock-server-types.ts';
import { tool } from '../../../src/mock/handler.ts';
import { INITIALIZE, RIGHT, Stranger } from './stranger.ts';

let server: HttpMockServer;
let stranger: Stranger;
let time = 1_800_000_000_000;
const clock = { date: () => new Date(time), now: () => time, after: () => () => {}, endOfTurn: setImmediate };
const options = { over: 'http', clock, handlers: [tool('list', () => 'listed')] } as const;

beforeAll(async () => {
  server = await mockServer({ ...options, auth: { stepUp: [{ tool: 'list', scopes: ['files:read'] }] } });
  stranger = new Stranger(server.url);
});
afterAll(() => server.finish());

const error = (status: number, code: string) => ({ status, body: expect.objectContaining({ error: code }) });

describe('the MCP endpoint', () => {
  it('says where the metadata are, and what scope it wants', async () => {
    const { origin } = stranger;
    expect(await stranger.ask(undefined)).toEqual({
      status: 401,
      challenge: `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp", scope="mcp"`,
    });
    for (const path of ['', '/mcp'])
      expect(await (await stranger.get(`/.well-known/oauth-protected-resource${path}`)).json()).toEqual({
        resource: server.url,
        authorization_servers: [origin],
        scopes_supported: ['mcp', 'files:read'],
        bearer_methods_supported: ['header'],
      });
    const sse = await (await stranger.get('/.well-known/oauth-protected-resource/sse')).json();
    expect(sse).toMatchObject({ resource: `${origin}/sse` });
    expect((await stranger.get('/sse')).status).toBe(401);
  });

  it('takes a token that is signed, and whose key is there', async () => {
    const { access_token: token, scope } = await stranger.tokens();
    expect(scope).toBe('mcp');
    expect(await stranger.ask(token)).toMatchObject({ status: 200 });
    const keys = createRemoteJWKSet(new URL(`${stranger.origin}/jwks`));
    const { payload, protectedHeader } = await jwtVerify(token, keys, { currentDate: clock.date() });
    expect(protectedHeader).toMatchObject({ alg: 'ES256', typ: 'at+jwt' });
    expect(payload).toMatchObject({ iss: stranger.origin, aud: server.url, client_id: 'stranger', scope: 'mcp' });
    expect(payload.exp! - payload.iat!).toBe(3600);
  });

  it('takes no other: one that was altered, one of nobody, one in the query, or one whose time is over', async () => {
    const { access_token: token } = await stranger.tokens();
    const [head, claims = '', signature] = token.split('.');
    const altered = JSON.parse(Buffer.from(claims, 'base64url').toString());
    const withClaims = (more: object, first = head) =>
      [first, Buffer.from(JSON.stringify({ ...altered, ...more })).toString('base64url'), signature].join('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const strangers = [withClaims({ scope: 'mcp files:read' }), withClaims({}, none), 'x', 'a.b.c'];
    for (const one of strangers)
      expect(await stranger.ask(one)).toEqual({
        status: 401,
        challenge: expect.stringMatching(
          /^Bearer error="invalid_token", error_description="The access token was not issued by/,
        ),
      });
    expect(await new Stranger(`${server.url}?access_token=${token}`).ask(undefined)).toMatchObject({ status: 400 });
    expect(await stranger.ask(token)).toMatchObject({ status: 200 });
    time += 3_601_000;
    expect((await stranger.ask(token)).challenge).toContain('error_description="The access token expired"');
  });

  it('takes a token for the resource at which it is, by the name of the machine that it is for', async () => {
    const { access_token: token } = await stranger.tokens({ resource: stranger.origin });
    expect(await stranger.ask(token)).toMatchObject({ status: 200 });
    const byName = new Stranger(server.url.replace('127.0.0.1', 'localhost'));
    expect((await byName.ask(token)).status).toBe(401);
    expect((await byName.ask((await byName.tokens()).access_token)).status).toBe(200);
  });

  it('says which scope a call needs, with those that there are, in a batch too', async () => {
    const { access_token: token } = await stranger.tokens({ scope: 'mcp other' });
    const call = { ...INITIALIZE, method: 'tools/call', params: { name: 'list', arguments: {} } };
    const challenge = expect.stringMatching(/^Bearer error="insufficient_scope", .*scope="mcp other files:read"/);
    expect(await stranger.ask(token, call)).toEqual({ status: 403, challenge });
    expect(await stranger.ask(token, [call])).toEqual({ status: 403, challenge });
    const more = await stranger.tokens({ scope: 'mcp files:read' });
    expect((await stranger.ask(more.access_token, call)).status).toBe(400);
  });
});

describe('to authorize', () => {
  it('gives a code, the state, and the issuer back', async () => {
    const { back, status } = await stranger.authorize();
    expect(status).toBe(302);
    expect(back!.href.split('?')[0]).toBe(RIGHT.redirect_uri);
    expect(Object.fromEntries(back!.searchParams)).toEqual({
      code: expect.any(String),
      state: RIGHT.state,
      iss: stranger.origin,
    });
  });

  it.each([
    ['no PKCE', { code_challenge: undefined }, 'invalid_request'],
    ['PKCE without a hash', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE of no method', { code_challenge_method: undefined }, 'invalid_request'],
    ['a challenge that is none', { code_challenge: 'short' }, 'invalid_request'],
    ['an implicit grant', { response_type: 'token' }, 'unsupported_response_type'],
    ['another resource', { resource: 'https://example.com/mcp' }, 'invalid_target'],
    ['no resource', { resource: undefined }, 'invalid_target'],
  ])('tells the client of %s', async (_, changed, code) => {
    const { back } = await stranger.authorize(changed);
    expect(Object.fromEntries(back!.searchParams)).toMatchObject({ error: code, state: RIGHT.state });
    expect(back!.searchParams.has('code')).toBe(false);
  });

  it('redirects no browser to where the client is not', async () => {
    const { body } = await stranger.register({ redirect_uris: ['https://app.example/back', 'app.example:/back'] });
    const client_id = body.client_id;
    for (const redirect_uri of ['https://app.example/back', 'app.example:/back'])
      expect((await stranger.authorize({ client_id, redirect_uri })).back!.href).toContain(`${redirect_uri}?code=`);
    const others = [
      'https://evil.example',
      'https://app.example/back/x',
      'https://app.example/back?x',
      RIGHT.redirect_uri,
    ];
    const nobody = [
      ...['https://evil.example', 'HTTP://evil.example', ' http://evil.example', '//evil.example', '/back', ''],
      ...[
        'javascript:alert(1)',
        'java\nscript:alert(1)',
        'javascript://127.0.0.1/%0aalert(1)',
        'data:text/html,x',
        'http://127.0.0.1@evil.example/',
      ],
      ...['http://127.0.0.1.evil.example/', 'http://user@127.0.0.1/', 'http://127.0.0.1/#x'],
    ];
    const asked = [
      ...others.map((redirect_uri) => ({ client_id, redirect_uri })),
      ...nobody.map((redirect_uri) => ({ redirect_uri })),
      ...nobody.map((redirect_uri) => ({ redirect_uri, client_id: 'https://evil.example/client.json' })),
      { client_id: undefined },
    ];
    for (const one of asked) {
      const { back, status, body: told } = await stranger.authorize(one);
      expect({ one, back, status }).toEqual({ one, back: undefined, status: 400 });
      expect(JSON.parse(told)).toMatchObject({ error: 'invalid_request' });
    }
  });
});

describe('to register', () => {
  it.each([
    ['a redirect to another machine', { redirect_uris: ['http://evil.example'] }, 'invalid_redirect_uri'],
    ['one in other letters', { redirect_uris: ['HTTP://evil.example'] }, 'invalid_redirect_uri'],
    ['one that is run', { redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
    ['one that is none', { redirect_uris: [5] }, 'invalid_redirect_uri'],
    ['none', {}, 'invalid_redirect_uri'],
    ['a list of them that is none', { redirect_uris: 'https://app.example' }, 'invalid_redirect_uri'],
    [
      'another way to authenticate',
      { redirect_uris: [RIGHT.redirect_uri], token_endpoint_auth_method: 'x' },
      'invalid_client_metadata',
    ],
    ['what is no JSON', '{', 'invalid_client_metadata'],
    ['what is no object', [], 'invalid_client_metadata'],
  ])('refuses %s', async (_, metadata, code) => {
    expect(await stranger.register(metadata)).toEqual(error(400, code));
  });

  it('gives a secret, which has to be known then', async () => {
    const { status, body } = await stranger.register({ redirect_uris: ['http://localhost:1/back'], client_name: 'x' });
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        client_name: 'x',
        redirect_uris: ['http://localhost:1/back'],
        token_endpoint_auth_method: 'client_secret_basic',
        client_id: expect.any(String),
        client_id_issued_at: time / 1000,
        client_secret: expect.any(String),
        client_secret_expires_at: 0,
      },
    });
    const { client_id, client_secret } = body;
    // RFC 8252, 7.3: the port is chosen when the client listens.
    const own = { client_id, redirect_uri: 'http://localhost:2/back' };
    const code = () => stranger.code(own);
    expect(await stranger.exchange(await code(), own)).toEqual(error(401, 'invalid_client'));
    expect(await stranger.exchange(await code(), { ...own, client_secret: 'x' })).toEqual(error(401, 'invalid_client'));
    expect(await stranger.exchange(await code(), { ...own, client_secret })).toMatchObject({ status: 200 });
    const grant = { grant_type: 'client_credentials', resource: server.url };
    const basic = (secret: string) => ({ authorization: `Basic ${btoa(`${client_id}:${secret}`)}` });
    expect(await stranger.token(grant, basic(client_secret))).toMatchObject({ status: 200 });
    expect(await stranger.token(grant, basic('x'))).toEqual(error(401, 'invalid_client'));
  });
});

describe('a code', () => {
  it.each([
    ['another verifier', { code_verifier: 'another-verifier-that-is-long-enough-for-it' }, 'invalid_grant'],
    ['no verifier', { code_verifier: undefined }, 'invalid_grant'],
    ['another redirect', { redirect_uri: 'http://127.0.0.1:2/back' }, 'invalid_grant'],
    ['no redirect', { redirect_uri: undefined }, 'invalid_grant'],
    ['another client', { client_id: 'somebody' }, 'invalid_grant'],
    ['another resource', { resource: 'https://example.com' }, 'invalid_grant'],
    ['no resource', { resource: undefined }, 'invalid_target'],
    ['another code', { code: 'x' }, 'invalid_grant'],
    ['no grant', { grant_type: undefined }, 'invalid_request'],
    ['another grant', { grant_type: 'password' }, 'unsupported_grant_type'],
  ])('is nothing with %s', async (_, changed, why) => {
    expect(await stranger.exchange(await stranger.code(), changed)).toEqual(error(400, why));
  });

  it('is nothing without a client', async () => {
    expect(await stranger.exchange(await stranger.code(), { client_id: undefined })).toEqual(
      error(401, 'invalid_client'),
    );
  });

  it('serves once: the second time it takes back what it gave', async () => {
    const code = await stranger.code();
    const { body } = await stranger.exchange(code);
    expect((await stranger.ask(body.access_token)).status).toBe(200);
    expect(await stranger.exchange(code)).toEqual(error(400, 'invalid_grant'));
    expect((await stranger.ask(body.access_token)).challenge).toContain('The access token was revoked');
    expect(await stranger.refresh(body.refresh_token)).toEqual(error(400, 'invalid_grant'));
  });

  it('is used up by who comes without its verifier', async () => {
    const code = await stranger.code();
    await stranger.exchange(code, { code_verifier: 'x' });
    const { body } = await stranger.exchange(code);
    expect(body).toEqual({
      error: 'invalid_grant',
      error_description:
        'The code verifier is wrong. This was the reason at the first use of the code, which is used up',
    });
  });

  it('is a finding where it is refused, which fails nothing', async () => {
    const other = await mockServer({ ...options, auth: true });
    const asking = new Stranger(other.url);
    const code = await asking.code();
    await asking.exchange(code, { code_verifier: 'x' });
    await asking.authorize({ response_type: 'token' });
    await asking.authorize({ redirect_uri: 'http://example.com/' });
    const { findings, failures } = await other.finish();
    const refused = findings.filter(({ kind }) => kind === 'refused');
    expect(refused.map(({ text }) => text)).toEqual([
      'The authorization server refused POST /token: invalid_grant: The code verifier is wrong',
      'The authorization server refused GET /authorize: unsupported_response_type: The response type is code',
      expect.stringMatching(/^The authorization server refused GET \/authorize: invalid_request: The redirect URI/),
    ]);
    expect(failures.filter(({ kind }) => kind === 'refused')).toEqual([]);
  });

  it("fails a mock with onDifference: 'fail' where it is refused", async () => {
    const other = await mockServer({ ...options, auth: true, onDifference: 'fail' });
    await new Stranger(other.url).exchange('unknown');
    expect((await other.finish()).failures).toMatchObject([
      { kind: 'refused', text: expect.stringContaining('invalid_grant: There is no such code') },
    ]);
  });

  it('serves for ten minutes', async () => {
    const codes = [await stranger.code(), await stranger.code()];
    time += 600_000;
    expect((await stranger.exchange(codes[0]!)).status).toBe(200);
    time += 1;
    expect(await stranger.exchange(codes[1]!)).toEqual(error(400, 'invalid_grant'));
  });
});

describe('a refresh token', () => {
  it('serves once: one that comes again takes back all that came of it', async () => {
    const first = await stranger.tokens();
    const second = (await stranger.refresh(first.refresh_token)).body;
    expect((await stranger.ask(second.access_token)).status).toBe(200);
    const used = { error_description: 'The refresh token was used before, so all its tokens were revoked' };
    const again = () => stranger.refresh(first.refresh_token);
    for (const { status, body } of [await again(), await again()]) expect([status, body]).toMatchObject([400, used]);
    expect((await stranger.ask(second.access_token)).status).toBe(401);
    expect((await stranger.refresh(second.refresh_token)).body).toEqual({
      error: 'invalid_grant',
      error_description: 'The refresh token was revoked: a refresh token that it replaced was used again',
    });
  });

  it('is nothing to another client, or for more than there was', async () => {
    const { refresh_token: token } = await stranger.tokens({ scope: 'mcp files:read' });
    expect(await stranger.refresh(token, { client_id: 'somebody' })).toEqual(error(400, 'invalid_grant'));
    expect(await stranger.refresh(token, { scope: 'mcp admin' })).toEqual(error(400, 'invalid_scope'));
    expect(await stranger.refresh(token, { resource: 'https://example.com' })).toEqual(error(400, 'invalid_target'));
    expect(await stranger.refresh(token, { scope: 'mcp' })).toMatchObject({ status: 200, body: { scope: 'mcp' } });
  });
});

describe('a client that names no resource', () => {
  const without = { resource: undefined };

  it('gets no token, for a code, for a refresh token or for credentials', async () => {
    const { refresh_token: token } = await stranger.tokens();
    const { body } = await stranger.refresh(token, without);
    expect(body).toEqual({
      error: 'invalid_target',
      error_description: expect.stringMatching(/^"resource" is missing\. .* since 2025-06-18\. .* "optional"$/),
    });
    const credentials = { grant_type: 'client_credentials', client_id: 'job', client_secret: 'any' };
    expect(await stranger.token(credentials)).toEqual(error(400, 'invalid_target'));
    // The refresh token is not used up by that.
    expect(await stranger.refresh(token)).toMatchObject({ status: 200 });
  });

  it('gets one from a server that takes clients of 2025-03-26', async () => {
    await using own = await mockServer({ ...options, auth: { resource: 'optional' } });
    const old = new Stranger(own.url);
    const { body } = await old.exchange(await old.code(without), without);
    expect((await old.ask(body.access_token)).status).toBe(200);
    expect(await old.refresh(body.refresh_token, without)).toMatchObject({ status: 200 });
    expect((await old.authorize({ resource: 'https://example.com' })).back!.search).toContain('invalid_target');
  });

  it('gets one after a fault has kept the metadata of the resource from it, up to the next metadata or a reset', async () => {
    const fault = { do: 'http-status', when: { method: 'oauth/resource-metadata', nth: 1 }, status: 404 } as const;
    await using own = await mockServer({ ...options, auth: true, faults: [fault] });
    const other = new Stranger(own.url);
    const metadata = '/.well-known/oauth-protected-resource/mcp';
    const refused = async () => (await other.authorize(without)).back!.searchParams.get('error');
    const seen = [await refused()];
    const get = async () => seen.push(`${(await other.get(metadata)).status}`, await refused());
    await get();
    await get();
    own.misbehave([fault]);
    await get();
    await own.reset();
    seen.push(await refused());
    await other.get(metadata); // the fault fires again
    const no = 'invalid_target';
    expect(seen).toEqual([no, '404', null, '200', no, '404', null, no]);
  });
});

it('a client without a secret has no credentials', async () => {
  const grant = { grant_type: 'client_credentials', client_id: 'job', resource: server.url };
  expect(await stranger.token(grant)).toEqual(error(401, 'invalid_client'));
  const { body } = await stranger.token({ ...grant, client_secret: 'any', scope: 'a b a' });
  expect(body).toEqual({ access_token: expect.any(String), token_type: 'Bearer', expires_in: 3600, scope: 'a b' });
});

it('a client that signs who it is says for whom, and until when', async () => {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const clients = [{ id: 'job', publicKey: await exportSPKI(publicKey) }, { id: 'other' }];
  await using own = await mockServer({ ...options, auth: { clients } });
  const signer = new Stranger(own.url);
  const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';
  const now = Math.floor(time / 1000);
  const right = { iss: 'job', sub: 'job', aud: signer.origin, exp: now + 60 };
  const sign = (claims: object) =>
    new SignJWT({ ...right, ...claims }).setProtectedHeader({ alg: 'ES256' }).sign(privateKey);
  const come = (client_assertion: string, more: object = {}) =>
    signer.token({
      grant_type: 'client_credentials',
      client_assertion_type: type,
      client_assertion,
      resource: own.url,
      ...more,
    });
  for (const aud of [signer.origin, `${signer.origin}/token`, ['x', signer.origin]])
    expect(await come(await sign({ aud }))).toMatchObject({ status: 200 });
  const wrong = [
    { aud: 'https://example.com' },
    { exp: now },
    { iss: 'other' },
    { sub: 'other' },
    { sub: 'nobody', iss: 'nobody' },
  ];
  for (const claims of wrong) expect(await come(await sign(claims))).toEqual(error(401, 'invalid_client'));
  expect(await come('x')).toEqual(error(401, 'invalid_client'));
  expect(await come(await sign({}), { client_assertion_type: 'x' })).toEqual(error(401, 'invalid_client'));
  const unsigned = { grant_type: 'client_credentials', client_id: 'job', client_secret: 'x' };
  expect(await signer.token(unsigned)).toEqual(error(401, 'invalid_client'));
});

it('a request for a token is a form, and names nothing twice', async () => {
  const twice = 'grant_type=client_credentials&client_id=a&client_id=b';
  for (const [body, type] of [
    [twice, 'application/x-www-form-urlencoded'],
    ['{"grant_type":"client_credentials","client_id":"a","client_secret":"b"}', 'application/json'],
  ] as const) {
    const headers = { 'content-type': type };
    const response = await fetch(`${stranger.origin}/token`, { method: 'POST', body, headers });
    expect([response.status, await response.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_request' }),
    ]);
  }
});

it('is for this machine alone, and for the methods that it has', async () => {
  for (const path of ['/token', '/register', '/authorize', '/jwks', '/.well-known/oauth-authorization-server']) {
    expect(await stranger.statusOf(path, { host: 'evil.example' })).toBe(403);
    expect(await stranger.statusOf(path, { origin: 'https://evil.example' }, 'POST')).toBe(403);
    expect(await stranger.statusOf(path, {}, 'PUT')).toBe(405);
  }
  expect((await stranger.get('/.well-known/openid-configuration')).status).toBe(404);
  expect((await stranger.get('/elsewhere')).status).toBe(404);
});

it('knows nobody any more after a reset', async () => {
  await using own = await mockServer({ ...options, auth: true });
  const other = new Stranger(own.url);
  const code = await other.code();
  const { access_token: access, refresh_token: refresh } = await other.tokens();
  expect((await other.ask(access)).status).toBe(200);
  await own.reset();
  expect((await other.ask(access)).status).toBe(401);
  expect(await other.refresh(refresh)).toEqual(error(400, 'invalid_grant'));
  expect(await other.exchange(code)).toEqual(error(400, 'invalid_grant'));
  expect((await other.ask((await other.tokens()).access_token)).status).toBe(200);
});

it('names no scopes where none are needed', async () => {
  await using own = await mockServer({ ...options, auth: { scopes: [] } });
  const other = new Stranger(own.url);
  expect((await other.ask(undefined)).challenge).not.toContain('scope');
  for (const name of ['oauth-protected-resource', 'oauth-authorization-server'])
    expect(await (await other.get(`/.well-known/${name}`)).text()).not.toContain('scopes_supported');
  expect((await other.ask((await other.tokens()).access_token)).status).toBe(200);
});

it('refuses who is none of the clients that it knows, and documents where it takes none', async () => {
  const known = { id: 'desk', secret: 'kept', redirectUris: ['https://desk.example/back'] };
  await using own = await mockServer({
    ...options,
    auth: { clients: [known], clientMetadataDocuments: false, refresh: 'keep' },
  });
  const other = new Stranger(own.url);
  for (const client_id of ['stranger', 'https://example.com/client.json'])
    expect(await other.authorize({ client_id })).toMatchObject({
      status: 401,
      body: expect.stringContaining('invalid_client'),
    });
  const desk = { client_id: 'desk', redirect_uri: 'https://desk.example/back' };
  const { body } = await other.exchange(await other.code(desk), { ...desk, client_secret: 'kept' });
  for (let times = 0; times < 2; times++) {
    const again = await other.refresh(body.refresh_token, { client_id: 'desk', client_secret: 'kept' });
    expect([again.status, 'refresh_token' in again.body]).toEqual([200, false]);
  }
});
