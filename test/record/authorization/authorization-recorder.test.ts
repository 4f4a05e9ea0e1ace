import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { AuthorizationExchange } from '../../../src/cassette/authorization-exchange.ts';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { conversation, inSession, POST } from '../http-conversation.ts';

const ISSUER = 'https://auth.example';
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const BACK = 'http://127.0.0.1:1/back';
const initialize = (id = 0) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25' },
});
const result = (id = 0) => ({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-11-25' } });
const keeping = (options = {}) => conversation({ redacts: true, keepsAuthorization: true, ...options });
type Conversation = ReturnType<typeof keeping>;

const METADATA = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/login`,
  token_endpoint: `${ISSUER}/v2/issue`,
  registration_endpoint: `${ISSUER}/clients`,
  signed_metadata: 'planted-signed-metadata',
};

const SECRETS = {
  client_secret: 'planted client+secret/1',
  code: 'planted-code',
  verifier: 'planted-verifier',
  state: 's7',
  access: 'planted-access',
  refresh: 'planted-refresh',
  identity: 'planted-id-token',
};

/** A client is refused without a token, and gets one. */
function authorize({ ask }: Conversation): void {
  ask({ body: initialize() }).json({ error: 'unauthorized' }, { 'WWW-Authenticate': 'Bearer scope="a b"' }, 401);
  ask({ origin: ISSUER, method: 'GET', path: '/.well-known/oauth-authorization-server?x=1' }).json(METADATA);
  ask({
    origin: ISSUER,
    path: '/clients',
    body: { redirect_uris: [BACK], software_statement: 'planted-statement' },
  }).json(
    { client_id: 'c1', client_secret: SECRETS.client_secret, registration_access_token: 'planted-registration' },
    {},
    201,
  );
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: 'c1',
    redirect_uri: BACK,
    state: SECRETS.state,
  });
  const location = `${BACK}?code=${SECRETS.code}&state=${SECRETS.state}&iss=${encodeURIComponent(ISSUER)}`;
  ask({ origin: ISSUER, method: 'GET', path: `/login?${query}` })
    .head(302, { Location: location })
    .ends();
  const form = new URLSearchParams({
    ...{ grant_type: 'authorization_code', code: SECRETS.code, code_verifier: SECRETS.verifier, pin: '4711' },
    redirect_uri: BACK,
  });
  const basic = Buffer.from(`c1:${SECRETS.client_secret}`).toString('base64');
  ask({
    origin: ISSUER,
    path: '/v2/issue',
    headers: { ...FORM, Authorization: `Basic ${basic}` },
    body: `${form}`,
  }).json({
    ...{ access_token: SECRETS.access, refresh_token: SECRETS.refresh, id_token: SECRETS.identity },
    ...{
      token_type: 'Bearer',
      expires_in: 60,
      otp: 471_147,
      nested: { mac_key: 'planted-mac-key' },
      empty: null,
      flag: true,
    },
  });
}

function exchangesOf({ events }: Cassette): AuthorizationExchange[] {
  return events.flatMap(({ frame }) =>
    frame.kind === 'authorization' ? [frame.json.value as AuthorizationExchange] : [],
  );
}

const requestsOf = (cassette: Cassette) => exchangesOf(cassette).map(({ request }) => request);
const FLOW = ['mcp', 'oauth/server-metadata', 'oauth/register', 'oauth/authorize', 'oauth/token'];
const withToken = { ...POST, Authorization: `Bearer ${SECRETS.access}` };

describe('a flow before a session', () => {
  it('is at the beginning of the cassette of that session, with placeholders in place of every secret', () => {
    using talk = keeping();
    authorize(talk);
    talk.ask({ body: initialize(1), headers: withToken }).json(result(1), { 'Mcp-Session-Id': 'x1' });
    talk.recorder.end('complete');
    expect(talk.cassettes()).toEqual(['cassette.probe.yaml', 'cassette.yaml']);
    const text = talk.cassetteText();
    for (const secret of [...Object.values(SECRETS), 'planted', '4711', '471147', 'client%20secret'])
      expect(text.replaceAll(/after: \d+/g, '')).not.toContain(secret);
    expect(text).not.toContain(Buffer.from(`c1:${SECRETS.client_secret}`).toString('base64'));
    expect(talk.cassette().events[0]?.frame.kind).toBe('authorization');
    expect(exchangesOf(talk.cassette())).toEqual([
      {
        ...{ request: 'mcp', url: 'https://far.example/mcp', method: 'initialize', status: 401 },
        ...{ challenge: 'Bearer scope="a b"', response: { error: 'unauthorized' } },
      },
      {
        ...{ request: 'oauth/server-metadata', url: `${ISSUER}/.well-known/oauth-authorization-server` },
        ...{ parameters: { x: '[redacted:x_secret:1]' }, status: 200 },
        response: { ...METADATA, signed_metadata: '[redacted:signed_metadata_secret:1]' },
      },
      {
        ...{ request: 'oauth/register', url: `${ISSUER}/clients` },
        parameters: { redirect_uris: [BACK], software_statement: '[redacted:software_statement_secret:1]' },
        status: 201,
        response: {
          client_id: 'c1',
          client_secret: '[redacted:client_secret:1]',
          registration_access_token: '[redacted:registration_access_token:1]',
        },
      },
      {
        ...{ request: 'oauth/authorize', url: `${ISSUER}/login`, status: 302 },
        parameters: { response_type: 'code', client_id: 'c1', redirect_uri: BACK, state: '[redacted:state_secret:1]' },
        response: { code: '[redacted:code:1]', state: '[redacted:state_secret:1]', iss: ISSUER },
      },
      {
        ...{ request: 'oauth/token', url: `${ISSUER}/v2/issue`, scheme: 'Basic', status: 200 },
        parameters: {
          ...{ grant_type: 'authorization_code', code: '[redacted:code:1]', redirect_uri: BACK },
          ...{ code_verifier: '[redacted:code_verifier:1]', pin: '[redacted:pin:1]' },
        },
        response: {
          ...{ access_token: '[redacted:access_token:1]', refresh_token: '[redacted:refresh_token:1]' },
          ...{ id_token: '[redacted:id_token:1]', token_type: 'Bearer', expires_in: 60, otp: '[redacted:otp:1]' },
          ...{ nested: '[redacted:nested_secret:1]', empty: null, flag: true },
        },
      },
    ]);
    expect(talk.failures).toEqual([]);
  });

  it('is not kept without a recorder for it', () => {
    using talk = conversation({ redacts: true });
    talk.ask({ body: initialize() }).json({}, { 'WWW-Authenticate': 'Bearer' }, 401);
    talk.ask({ method: 'GET', path: '/.well-known/oauth-authorization-server' }).json(METADATA);
    talk.open('x1');
    talk.recorder.end('complete');
    expect(exchangesOf(talk.cassette())).toEqual([]);
  });

  it('is once in the cassette of a server without sessions, before the request with the token', () => {
    using talk = keeping();
    authorize(talk);
    talk.ask({ body: initialize(1), headers: withToken }).json(result(1));
    talk
      .ask({ body: { jsonrpc: '2.0', id: 2, method: 'ping' }, headers: withToken })
      .json({ ...result(2), result: {} });
    talk.recorder.end('complete');
    expect(talk.cassettes()).toEqual(['cassette.yaml']);
    const { events } = talk.cassette();
    expect(requestsOf(talk.cassette())).toEqual(FLOW);
    expect(events.map(({ frame }) => frame.kind).slice(0, 9)).toEqual([
      ...['message', 'http-response', ...FLOW.map(() => 'authorization'), 'message', 'message'],
    ]);
  });

  it('that is refused again is in the cassette of the session that follows, too', () => {
    using talk = keeping();
    authorize(talk);
    talk.ask({ body: initialize(1), headers: withToken }).json({}, { 'WWW-Authenticate': 'Bearer' }, 401);
    talk.ask({ body: initialize(2), headers: withToken }).json(result(2), { 'Mcp-Session-Id': 'x1' });
    talk.recorder.end('complete');
    expect(requestsOf(talk.cassette())).toEqual([...FLOW, 'mcp']);
    expect(requestsOf(talk.cassette('cassette.probe.yaml'))).toEqual(FLOW);
  });
});

describe('a flow after the last request', () => {
  const refresh = {
    origin: ISSUER,
    path: '/token',
    headers: FORM,
    body: 'grant_type=refresh_token&refresh_token=planted-1',
  };

  it('is in the cassette of the latest session', () => {
    using talk = keeping();
    talk.open('x1');
    talk.open('x2', 1);
    talk.ask({ headers: inSession('x1'), body: { jsonrpc: '2.0', id: 5, method: 'ping' } }).json({});
    talk.ask(refresh).json({ access_token: 'planted-2' });
    talk.recorder.end('complete');
    expect(requestsOf(talk.cassette())).toEqual(['oauth/refresh']);
  });

  it('is kept without any session', () => {
    using talk = keeping();
    talk.ask(refresh).json({ error: 'invalid_grant', error_description: 'planted-1 is unknown' }, {}, 400);
    talk.recorder.end('complete');
    expect(talk.cassettes()).toEqual(['cassette.yaml']);
    expect(exchangesOf(talk.cassette())).toMatchObject([
      {
        parameters: { refresh_token: '[redacted:refresh_token:1]' },
        response: { error: 'invalid_grant', error_description: '[redacted:refresh_token:1] is unknown' },
      },
    ]);
  });
});

describe('an exchange', () => {
  const kept = (tell: (talk: Conversation) => void, options = {}) => {
    const talk = keeping(options);
    tell(talk);
    talk.open('x1');
    talk.recorder.end('complete');
    const { cuts, failures } = talk;
    const found = { exchanges: exchangesOf(talk.cassette()), cuts, failures };
    talk[Symbol.dispose]();
    return found;
  };
  const token = {
    origin: ISSUER,
    path: '/token',
    headers: FORM,
    body: 'grant_type=client_credentials&client_secret=a1',
  };

  it('with a compressed body is read', () => {
    const body = gzipSync('{"token_type":"Bearer","access_token":"planted"}');
    const { exchanges } = kept(({ ask }) => ask(token).head(200, { 'Content-Encoding': 'gzip' }).says(body).ends());
    expect(exchanges).toMatchObject([
      { response: { token_type: 'Bearer', access_token: '[redacted:access_token:1]' } },
    ]);
  });

  it('with a body that is too long is kept without it, and that is said', () => {
    const long = { ...token, body: `${token.body}&x=${'y'.repeat(300)}` };
    const { exchanges, cuts } = kept(({ ask }) => ask(long).json({ z: 'y'.repeat(300) }), { holdBytesMax: 300 });
    expect(exchanges).toEqual([{ request: 'oauth/token', url: `${ISSUER}/token`, status: 200 }]);
    expect(cuts).toEqual(['client', 'server']);
  });

  it('with a body that YAML cannot hold is kept without its bodies', () => {
    const deep = `${'['.repeat(100)}1${']'.repeat(100)}`;
    const { exchanges } = kept(({ ask }) =>
      ask({ origin: ISSUER, method: 'GET', path: '/.well-known/openid-configuration' }).json(`{"a":${deep}}`),
    );
    expect(exchanges).toEqual([
      { request: 'oauth/server-metadata', url: `${ISSUER}/.well-known/openid-configuration`, status: 200 },
    ]);
  });

  it('with a page, or without any response, has no more than its status', () => {
    const { exchanges } = kept(({ ask }) => {
      ask({ origin: ISSUER, method: 'GET', path: '/authorize' }).head(200).says('<form>').ends();
      ask({ origin: ISSUER, method: 'GET', path: '/authorize' })
        .head(302, { Location: 'https://idp.example/?s=planted' })
        .ends();
      ask({ origin: ISSUER, path: '/token', headers: FORM }).gone('server', 'rst');
      ask(token).json('["planted"]');
    });
    expect(exchanges).toMatchObject([
      { request: 'oauth/authorize', status: 200 },
      { request: 'oauth/authorize', status: 302 },
      { request: 'oauth/token' },
      { request: 'oauth/token', response: '[redacted:response_secret:1]' },
    ]);
    expect(exchanges[2]).toEqual({ request: 'oauth/token', url: `${ISSUER}/token` });
  });

  it('whose server repeats the secret of its header has a placeholder there, too', () => {
    const Authorization = `Basic ${Buffer.from('c1:zebra-92-lamp').toString('base64')}`;
    const { exchanges } = kept(({ ask }) =>
      ask({ ...token, headers: { ...FORM, Authorization } }).json(
        { error: 'invalid_client', error_description: 'zebra-92-lamp is no secret of c1' },
        {},
        401,
      ),
    );
    expect(exchanges[0]).toMatchObject({
      scheme: 'Basic',
      response: { error_description: '[redacted:authorization:2] is no secret of c1' },
    });
  });

  it('with repeated parameters keeps them as a list, and a name that may be a secret under another name', () => {
    const name = 'p'.repeat(50);
    const { exchanges } = kept(({ ask }) => ask({ ...token, body: `resource=a&resource=b&${name}=1` }).json({}));
    expect(exchanges[0]?.parameters).toEqual({ resource: ['a', 'b'], unknown: '[redacted:unknown_secret:1]' });
  });

  it('of a call that needs another scope names the tool', () => {
    const challenge = 'Bearer error="insufficient_scope", scope="write", resource_metadata=https://far.example/meta';
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete' } };
    const { exchanges } = kept(({ ask }) => {
      ask({ body: call, headers: withToken }).head(403, { 'WWW-Authenticate': challenge }).ends();
      ask({ method: 'GET', path: '/meta' }).json({ resource: 'https://far.example/mcp' });
    });
    expect(exchanges).toEqual([
      {
        ...{ request: 'mcp', url: 'https://far.example/mcp', method: 'tools/call', tool: 'delete', scheme: 'Bearer' },
        ...{ status: 403, challenge },
      },
      {
        ...{ request: 'oauth/resource-metadata', url: 'https://far.example/meta', status: 200 },
        response: { resource: 'https://far.example/mcp' },
      },
    ]);
  });

  it('of another kind is left out', () => {
    const { exchanges, failures } = kept(({ ask }) => {
      ask({ origin: ISSUER, method: 'GET', path: '/jwks' }).json({ keys: [] });
      ask({ origin: ISSUER, method: 'OPTIONS', path: '*' }).head(204).ends();
      ask({ origin: ISSUER, method: 'OPTIONS', path: '*' }).head(404).ends();
      ask({ method: 'GET', path: '/health' }).head(401).ends();
      ask({ body: initialize() }).json({}, {}, 403);
    });
    expect({ exchanges, failures }).toEqual({ exchanges: [], failures: [] });
  });

  it('that cannot be kept is told, and the session is recorded nevertheless', () => {
    const talk = keeping({ holdBytesMax: 300 });
    talk.cuts.push = () => {
      throw new Error('planted failure');
    };
    talk.ask({ ...token, body: 'x'.repeat(400) }).json({});
    expect(talk.failures).toEqual([new Error('planted failure')]);
    talk.open('x1');
    talk.recorder.end('complete');
    expect(talk.cassette().events.length).toBe(2);
    talk[Symbol.dispose]();
  });
});
