/** A mock server that acts as the authorization server of a recorded flow. */
import { afterEach, describe, expect, it } from 'vitest';
import { mockServer } from '../../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer, HttpOptions } from '../../../../src/adapters/mock-server/mock-server-types.ts';
import type { AuthorizationExchange } from '../../../../src/cassette/authorization-exchange.ts';
import { parseCassette } from '../../../../src/cassette/read/parse-cassette.ts';
import { recordedAuthorization } from '../../../../src/mock/authorization/recorded/recorded-authorization.ts';
import { tool } from '../../../../src/mock/handler.ts';
import { INITIALIZE, Stranger } from '../stranger.ts';

const FAR = 'https://mcp.example/mcp';
const ISSUER = 'https://auth.example';
const RESOURCE = 'https://mcp.example/.well-known/oauth-protected-resource';

function cassette(...exchanges: AuthorizationExchange[]) {
  const events = exchanges.map((exchange) => `- authorization: ${JSON.stringify(exchange)}`);
  return parseCassette(`format: mcp-record/1\ntransport: http\nevents:\n${events.join('\n')}\n`, 'recorded.yaml');
}

const optionsOf = (...exchanges: AuthorizationExchange[]) => recordedAuthorization([cassette(...exchanges)])?.options;

let server: HttpMockServer | undefined;
afterEach(async () => {
  await server?.finish();
  server = undefined;
});

async function served(exchanges: readonly AuthorizationExchange[], auth: HttpOptions['auth'] = true) {
  server = await mockServer(cassette(...exchanges), { over: 'http', auth, handlers: [tool('delete', () => '')] });
  return new Stranger(server.url);
}

const serverMetadata = (
  more: object = {},
  url = `${ISSUER}/.well-known/oauth-authorization-server`,
): AuthorizationExchange => ({
  request: 'oauth/server-metadata',
  url,
  status: 200,
  response: { issuer: ISSUER, ...more },
});
const resourceMetadata = (more: object = {}): AuthorizationExchange => ({
  request: 'oauth/resource-metadata',
  url: `${RESOURCE}/mcp`,
  status: 200,
  response: { resource: FAR, ...more },
});
const authorized = (parameters: object = {}, response: object = {}): AuthorizationExchange => ({
  ...{ request: 'oauth/authorize', url: `${ISSUER}/login`, status: 302 },
  parameters: { resource: FAR, ...parameters },
  response: { code: '[redacted:code:1]', ...response },
});
const token = (response: object = {}, parameters: object = {}): AuthorizationExchange => ({
  ...{ request: 'oauth/token', url: `${ISSUER}/token`, status: 200 },
  parameters: { grant_type: 'authorization_code', code: '[redacted:code:1]', resource: FAR, ...parameters },
  response: { access_token: '[redacted:access_token:1]', token_type: 'bearer', ...response },
});
const refreshed = (response: object = {}): AuthorizationExchange => ({
  ...{ request: 'oauth/refresh', url: `${ISSUER}/token`, status: 200 },
  parameters: { grant_type: 'refresh_token', refresh_token: '[redacted:refresh_token:1]' },
  response: { access_token: '[redacted:access_token:2]', ...response },
});
const refused = (more: Partial<AuthorizationExchange> = {}): AuthorizationExchange => ({
  request: 'mcp',
  url: FAR,
  method: 'initialize',
  status: 401,
  ...more,
});

describe('options of a recorded flow', () => {
  it('are those of the cassettes with one alone', () => {
    expect(recordedAuthorization([cassette(), cassette()])).toBeUndefined();
    expect(recordedAuthorization([cassette(), cassette(refused())])?.options).toEqual({
      scopes: [],
      resource: 'optional',
    });
  });

  it.each([
    ['no refresh token was given', [token()], { refresh: 'none' }],
    ['one was given', [token({ refresh_token: 'r' })], { refresh: 'rotate' }],
    ['the next one was given', [token(), refreshed({ refresh_token: 'r' })], { refresh: 'rotate' }],
    ['no next one was given', [token(), refreshed()], { refresh: 'keep' }],
    ['the same was given', [refreshed({ refresh_token: '[redacted:refresh_token:1]' })], { refresh: 'keep' }],
    [
      'the refresh was refused',
      [token({ refresh_token: 'r' }), { ...refreshed(), status: 400 }],
      { refresh: 'rotate' },
    ],
    ['a token lives a minute', [token({ expires_in: 60 })], { tokenLifetime: 60 }],
    ['a token lives a minute, as text', [token({ expires_in: '60' })], { tokenLifetime: 60 }],
    ['clients may register', [serverMetadata({ registration_endpoint: `${ISSUER}/r` })], { registration: true }],
    ['clients may not register', [serverMetadata()], { registration: false }],
    [
      'a client id may be a URL',
      [serverMetadata({ client_id_metadata_document_supported: true })],
      { clientMetadataDocuments: true },
    ],
    [
      'a client id was a URL',
      [serverMetadata(), token({}, { client_id: 'https://c.example/' })],
      { clientMetadataDocuments: true },
    ],
    ['a client id is no URL', [serverMetadata()], { clientMetadataDocuments: false }],
    ['the issuer has a path', [serverMetadata({ issuer: `${ISSUER}/tenant` })], { issuerPath: '/tenant' }],
    [
      'the metadata are those of OpenID',
      [serverMetadata({}, `${ISSUER}/.well-known/openid-configuration`)],
      { discovery: 'openid' },
    ],
    ['clients named the resource', [authorized(), token()], { resource: 'required' }],
    ['a client did not name the resource', [authorized({ resource: undefined }), token()], { resource: 'optional' }],
    ['clients know the metadata', [resourceMetadata()], { resource: 'required' }],
    ['a scope is demanded', [refused({ challenge: 'Bearer scope="a b"' })], { scopes: ['a', 'b'] }],
    [
      'a token lacked a scope',
      [refused({ challenge: 'Bearer scope="a b"' }), token({ scope: 'b' })],
      { scopes: ['b'] },
    ],
  ] as const)('if %s', (_, exchanges, expected) => {
    expect(optionsOf(...(exchanges as readonly AuthorizationExchange[]))).toMatchObject(expected);
  });

  it.each([
    ['a lifetime that no token has', token({ expires_in: -1 }), 'tokenLifetime'],
    ['the path of an issuer that is none of ours', serverMetadata({ issuer: `${ISSUER}/a.b/` }), 'issuerPath'],
    ['an issuer that is no URL', serverMetadata({ issuer: 7 }), 'issuerPath'],
    ['refresh tokens of a client without a user', token({}, { grant_type: 'client_credentials' }), 'refresh'],
  ])('leave out %s', (_, exchange, option) => {
    expect(Object.keys(optionsOf(exchange)!)).not.toContain(option);
  });

  it('give way to those of a test', async () => {
    const stranger = await served([refused({ challenge: 'Bearer scope="a"' }), token({ expires_in: 60 })], {
      tokenLifetime: 7,
    });
    expect((await stranger.exchange(await stranger.code())).body).toMatchObject({
      expires_in: 7,
      token_type: 'bearer',
    });
  });
});

describe('the MCP endpoint', () => {
  it('refuses a request without a token, and one with a wrong token, as the recorded server did', async () => {
    const challenge = `Bearer realm="mcp", resource_metadata="${RESOURCE}/mcp"`;
    const stranger = await served([
      refused({ challenge, response: { message: 'no' } }),
      refused({ scheme: 'Bearer', challenge: 'Bearer error="invalid_token"' }),
    ]);
    const own = challenge.replace('https://mcp.example', stranger.origin);
    expect(await stranger.ask(undefined)).toEqual({ status: 401, challenge: own });
    expect(await stranger.ask('wrong')).toEqual({ status: 401, challenge: 'Bearer error="invalid_token"' });
  });

  it('has no challenge if the recorded server had none, and the usual one for what was not recorded', async () => {
    const stranger = await served([refused()]);
    expect(await stranger.ask(undefined)).toEqual({ status: 401, challenge: null });
    expect((await stranger.ask('wrong')).challenge).toContain('error="invalid_token"');
    await server?.finish();
    expect((await (await served([token()])).ask(undefined)).challenge).toContain('resource_metadata=');
  });

  it('demands another scope for the tool that needed it', async () => {
    const challenge = 'Bearer error="insufficient_scope", scope="write"';
    const step = { method: 'tools/call', tool: 'delete', status: 403, scheme: 'Bearer', challenge };
    const stranger = await served([refused(step), refused({ status: 403, method: 'ping', challenge: 'Bearer' })]);
    const { access_token: access } = await stranger.tokens();
    const call = { ...INITIALIZE, method: 'tools/call', params: { name: 'delete' } };
    expect(await stranger.ask(access)).toMatchObject({ status: 200 });
    expect(await stranger.ask(access, call)).toEqual({ status: 403, challenge });
    const more = await stranger.tokens({ scope: 'write' });
    expect((await stranger.ask(more.access_token, call)).status).not.toBe(403);
  });
});

describe('metadata', () => {
  it('are those of the recording, at the addresses of the mock server', async () => {
    const stranger = await served([
      resourceMetadata({ authorization_servers: [ISSUER], resource_name: 'Files', signed_metadata: 'x' }),
      serverMetadata({
        ...{ token_endpoint: `${ISSUER}/t`, introspection_endpoint: `${ISSUER}/i`, jwks_uri: `${ISSUER}/j` },
        ...{ token_endpoint_auth_methods_supported: ['none'], require_pushed_authorization_requests: true },
      }),
    ]);
    const { origin, url } = stranger;
    expect(await (await stranger.get('/.well-known/oauth-protected-resource/mcp')).json()).toEqual({
      ...{ resource: url, authorization_servers: [origin], resource_name: 'Files' },
    });
    expect(await (await stranger.get('/.well-known/oauth-authorization-server')).json()).toEqual({
      ...{ issuer: origin, token_endpoint: `${origin}/token`, jwks_uri: `${origin}/jwks` },
      token_endpoint_auth_methods_supported: ['none'],
    });
  });

  it('name the origin as the resource if the recorded ones did', async () => {
    const stranger = await served([resourceMetadata({ resource: 'https://mcp.example/' })]);
    const metadata = await (await stranger.get('/.well-known/oauth-protected-resource/mcp')).json();
    expect(metadata).toEqual({ resource: `${stranger.origin}/` });
  });

  it('are missing where clients asked in vain', async () => {
    const stranger = await served([
      { request: 'oauth/resource-metadata', url: `${RESOURCE}/mcp`, status: 404 },
      { request: 'oauth/resource-metadata', url: RESOURCE, status: 403 },
      { request: 'oauth/server-metadata', url: `${ISSUER}/.well-known/oauth-authorization-server`, status: 404 },
    ]);
    const status = async (path: string) => (await stranger.get(`/.well-known/${path}`)).status;
    expect(await status('oauth-protected-resource/mcp')).toBe(404);
    expect(await status('oauth-protected-resource')).toBe(403);
    expect(await status('oauth-authorization-server')).toBe(404);
    const response = await stranger.exchange(await stranger.code({ resource: undefined }), { resource: undefined });
    expect(response.status).toBe(200);
  });
});

describe('the authorization server', () => {
  it('refuses registrations as the recorded one did', async () => {
    const response = { error: 'invalid_client_metadata' };
    const stranger = await served([{ request: 'oauth/register', url: `${ISSUER}/r`, status: 403, response }]);
    expect(await stranger.register({ redirect_uris: ['http://127.0.0.1/'] })).toEqual({ status: 403, body: response });
  });

  it('has only the members in its token response that the recorded one had', async () => {
    const stranger = await served([token()]);
    const { body } = await stranger.exchange(await stranger.code());
    expect(Object.keys(body)).toEqual(['access_token', 'token_type']);
    await server?.finish();
    const other = await served([token({ scope: 'a', expires_in: 5 }), refreshed({ refresh_token: 'r' })]);
    const { body: more } = await other.exchange(await other.code());
    expect(Object.keys(more)).toEqual(['access_token', 'token_type', 'expires_in', 'scope', 'refresh_token']);
    expect(more).toMatchObject({ scope: 'a', expires_in: 5 });
  });

  it('grants the scopes that were granted for those that were requested', async () => {
    const stranger = await served([authorized({ scope: 'b a' }), token({ scope: 'a' })]);
    expect((await stranger.tokens({ scope: 'a b' })).scope).toBe('a');
    expect((await stranger.tokens({ scope: 'c' })).scope).toBe('c');
  });

  it('refuses a scope that the recorded one refused, or does not have', async () => {
    const error_description = 'no such scope';
    const stranger = await served([
      serverMetadata({ scopes_supported: ['a'], authorization_endpoint: `${ISSUER}/l` }),
      authorized({ scope: 'a z' }, { code: undefined, error: 'invalid_scope', error_description }),
      authorized({ scope: 'offline' }),
      token(),
    ]);
    const asked = async (scope: string) => Object.fromEntries((await stranger.authorize({ scope })).back!.searchParams);
    expect(await asked('z a')).toEqual({ error: 'invalid_scope', error_description, state: 'some state' });
    expect((await asked('b')).error_description).toBe(
      'The recorded server does not support the scope "b". It has a, offline',
    );
    expect(await asked('a offline')).toHaveProperty('code');
  });

  it('has the grants of the recorded one', async () => {
    const stranger = await served([serverMetadata({ grant_types_supported: ['authorization_code'] })]);
    const secret = { client_id: 'a', client_secret: 'b', resource: stranger.url };
    const ask = async (grant_type: string | undefined) => (await stranger.token({ ...secret, grant_type })).body.error;
    expect(await ask('client_credentials')).toBe('unsupported_grant_type');
    expect(await ask('authorization_code')).toBe('invalid_grant');
    expect(await ask(undefined)).toBe('invalid_request');
  });
});

it('a status that refuses nothing is no refusal, and strange values do no harm', async () => {
  const stranger = await served([
    refused({ status: 101 }),
    { request: 'oauth/register', url: `${ISSUER}/r`, status: 100 },
    { request: 'oauth/resource-metadata', url: `${RESOURCE}/mcp`, status: 302 },
    { request: 'oauth/server-metadata', url: ISSUER, status: 304 },
    serverMetadata({ ['__proto__']: { polluted: true }, scopes_supported: 'a', grant_types_supported: [7] }),
    token({ token_type: 'DPoP', scope: 7, expires_in: {} }),
    token({}, { grant_type: undefined }),
    { request: 'oauth/token', url: ISSUER, status: 200, response: 'text' },
  ]);
  expect((await stranger.ask(undefined)).status).toBe(401);
  expect((await stranger.get('/.well-known/oauth-protected-resource/mcp')).status).toBe(200);
  expect((await stranger.get('/.well-known/oauth-authorization-server')).status).toBe(200);
  expect((await stranger.register({ redirect_uris: ['http://127.0.0.1/'] })).status).toBe(201);
  const { body } = await stranger.exchange(await stranger.code());
  expect(body).toMatchObject({ token_type: 'Bearer', scope: '', expires_in: 3600 });
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
