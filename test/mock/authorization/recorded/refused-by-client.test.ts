/** A mock server that acts as a recorded one which its client did not trust, or which had its own ways. */
import { afterEach, describe, expect, it } from 'vitest';
import { mockServer } from '../../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer, HttpOptions } from '../../../../src/adapters/mock-server/mock-server-types.ts';
import type { AuthorizationExchange } from '../../../../src/cassette/authorization-exchange.ts';
import { parseCassette } from '../../../../src/cassette/read/parse-cassette.ts';
import { type Body, INITIALIZE, Stranger } from '../stranger.ts';

const FAR = 'https://mcp.example/mcp';
const ISSUER = 'https://auth.example';
const OTHER = 'https://other.example';

let server: HttpMockServer | undefined;
afterEach(async () => {
  await server?.finish();
  server = undefined;
});

async function served(exchanges: readonly AuthorizationExchange[], auth: HttpOptions['auth'] = true) {
  const events = exchanges.map((exchange) => `- authorization: ${JSON.stringify(exchange)}`);
  const text = `format: mcp-record/1\ntransport: http\nevents:\n${events.join('\n')}\n`;
  await server?.finish();
  server = await mockServer(parseCassette(text, 'recorded.yaml'), { over: 'http', auth, handlers: [] });
  return new Stranger(server.url);
}

const refused: AuthorizationExchange = { request: 'mcp', url: FAR, method: 'initialize', status: 401 };
const resource = (name: string): AuthorizationExchange => ({
  request: 'oauth/resource-metadata',
  url: 'https://mcp.example/.well-known/oauth-protected-resource/mcp',
  status: 200,
  response: { resource: name },
});
const metadata = (more: object = {}): AuthorizationExchange => ({
  request: 'oauth/server-metadata',
  url: `${ISSUER}/.well-known/oauth-authorization-server`,
  status: 200,
  response: { issuer: ISSUER, ...more },
});
const redirected = (iss: string | undefined, scope = 'a'): AuthorizationExchange => ({
  ...{ request: 'oauth/authorize', url: `${ISSUER}/authorize`, status: 302 },
  parameters: { resource: FAR, scope },
  response: { code: '[redacted:code:1]', iss },
});
const token = (scope = 'a'): AuthorizationExchange => ({
  ...{ request: 'oauth/token', url: `${ISSUER}/token`, status: 200 },
  parameters: { grant_type: 'authorization_code', code: '[redacted:code:1]', resource: FAR },
  response: { access_token: '[redacted:access_token:1]', token_type: 'bearer', scope },
});

/** What a client reads of a mock server: the names of the resource and of the issuer, and `iss` of a redirect. */
async function namesIn(exchanges: readonly AuthorizationExchange[]) {
  const stranger = await served(exchanges);
  const read = async (path: string): Promise<Body> => (await stranger.get(`/.well-known/${path}`)).json();
  const { resource } = await read('oauth-protected-resource/mcp');
  const { issuer } = await read('oauth-authorization-server');
  const { back } = await stranger.authorize();
  const own = (name: string | null) => name?.replace(stranger.origin, 'OWN');
  return { resource: own(resource), issuer: own(issuer), iss: own(back!.searchParams.get('iss')) };
}

describe('names of another server', () => {
  const ALL = [refused, resource(`${OTHER}/mcp`), metadata({ issuer: OTHER }), redirected('https://third.example')];

  it('are served if the client got no token', async () => {
    expect(await namesIn(ALL)).toEqual({ resource: `${OTHER}/mcp`, issuer: OTHER, iss: 'https://third.example' });
  });

  it('are those of the mock server if the client got one', async () => {
    expect(await namesIn([...ALL, token()])).toEqual({ resource: 'OWN/mcp', issuer: 'OWN', iss: 'OWN' });
    const refresh: AuthorizationExchange = { ...token(), request: 'oauth/refresh' };
    expect(await namesIn([...ALL, refresh])).toEqual({ resource: 'OWN/mcp', issuer: 'OWN', iss: 'OWN' });
  });

  it.each([
    ['that of another server', OTHER, OTHER],
    ['its own with a slash', `${ISSUER}/`, 'OWN/'],
    ['its own', ISSUER, 'OWN'],
    ['none, although its metadata promises one', undefined, undefined],
  ])('redirects that the client refused name the issuer as recorded: %s', async (_, recorded, iss) => {
    const promise = metadata({ authorization_response_iss_parameter_supported: true });
    const names = await namesIn([refused, resource(FAR), promise, redirected(recorded)]);
    expect(names).toEqual({ resource: 'OWN/mcp', issuer: 'OWN', iss });
  });
});

it('a client that registers without a method gets one that the recorded metadata lists', async () => {
  const methodOf = async (listed: string[] | undefined) => {
    const stranger = await served([
      metadata({ registration_endpoint: '/r', token_endpoint_auth_methods_supported: listed }),
    ]);
    return (await stranger.register({ redirect_uris: ['http://127.0.0.1/'] })).body.token_endpoint_auth_method;
  };
  expect(await methodOf(undefined)).toBe('client_secret_basic');
  expect(await methodOf(['none', 'client_secret_basic'])).toBe('client_secret_basic');
  expect(await methodOf(['client_secret_post'])).toBe('client_secret_post');
  expect(await methodOf(['none'])).toBe('none');
  expect(await methodOf(['private_key_jwt'])).toBe('client_secret_basic');
});

it('the scopes of a token are those of its own authorization if all codes are alike', async () => {
  const stranger = await served([redirected(ISSUER), token(), redirected(ISSUER, 'a b'), token('a b')]);
  expect((await stranger.tokens({ scope: 'a' })).scope).toBe('a');
  expect((await stranger.tokens({ scope: 'a b' })).scope).toBe('a b');
});

it('metadata are missing at a path where the recorded server had none', async () => {
  const found = {
    ...metadata({ issuer: `${ISSUER}/tenant` }),
    url: `${ISSUER}/tenant/.well-known/openid-configuration`,
  };
  const missing = (origin: string): AuthorizationExchange => ({
    request: 'oauth/server-metadata',
    url: `${origin}/.well-known/openid-configuration/tenant`,
    status: 404,
  });
  const statuses = async (...exchanges: AuthorizationExchange[]) => {
    const stranger = await served(exchanges);
    const paths = ['/.well-known/openid-configuration/tenant', '/tenant/.well-known/openid-configuration'];
    return Promise.all(paths.map(async (path) => (await stranger.get(path)).status));
  };
  expect(await statuses(missing(ISSUER), found)).toEqual([404, 200]);
  expect(await statuses(missing(OTHER), found)).toEqual([200, 200]);
});

describe('a message that needed a scope which its token had', () => {
  const step: AuthorizationExchange = {
    ...{ request: 'mcp', url: FAR, method: 'initialize', status: 403, scheme: 'Bearer' },
    challenge: 'Bearer error="insufficient_scope", scope="a"',
  };
  const statusOf = async (exchanges: readonly AuthorizationExchange[], auth?: HttpOptions['auth']) => {
    const stranger = await served(exchanges, auth);
    const { access_token: access } = await stranger.tokens({ scope: 'a' });
    return (await stranger.ask(access, INITIALIZE)).status;
  };

  it('is refused again and again if the client gave up', async () => {
    expect(await statusOf([redirected(ISSUER), token(), step])).toBe(403);
  });

  it('is answered with the scope if the client got another token, or a test says so', async () => {
    expect(await statusOf([redirected(ISSUER), token(), step, redirected(ISSUER), token()])).toBe(200);
    expect(await statusOf([redirected(ISSUER), token(), step], { stepUp: [] })).toBe(200);
    expect(await statusOf([step, redirected(ISSUER), token()])).toBe(200);
  });
});
