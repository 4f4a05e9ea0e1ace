/** A fault proxy before a server that requires access tokens: the flow passes it, as it passes a recorder. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { mockServer, tool } from '../../src/adapters/mock.ts';
import { httpFaultProxy } from '../../src/fault-proxy/http-fault-proxy.ts';
import type { Fired } from '../../src/faults/engine/fault-injector.ts';
import { parseFaultRules } from '../../src/faults/rules/parse-fault-rules.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { parseUpstream } from '../../src/transports/http/upstream/parse-upstream.ts';
import { Connected, NAMES } from '../mock/authorization/application.ts';
import { Stranger } from '../mock/authorization/stranger.ts';

async function proxyBefore(url: string, faults: readonly object[]) {
  const fired: Fired[] = [];
  const troubles: string[] = [];
  const { rules } = parseFaultRules({ faults }, { name: 'test', transport: 'http' });
  const proxy = await httpFaultProxy({
    upstream: parseUpstream(url),
    listen: { hostname: '127.0.0.1', port: 0 },
    clock: systemClock,
    faults: { rules, seed: 1, fired: (one) => void fired.push(one) },
    trouble: ({ code }) => void troubles.push(code),
  });
  onTestFinished(() => proxy.close());
  return { url: `${proxy.origin}/mcp`, origin: proxy.origin, fired, troubles };
}

async function protectedServer() {
  const server = await mockServer({ over: 'http', auth: true, handlers: [tool('list', () => 'listed')] });
  onTestFinished(async () => void (await server.finish()));
  return server;
}

describe.each(NAMES)('a client of %s', (name) => {
  it.each([
    [{ do: 'latency', delay: 1, when: { method: 'tools/call' } }, 1, 1],
    [{ do: 'token-refused', when: { method: 'tools/call', nth: 2 } }, 1, 2],
    [{ do: 'http-status', status: 503, when: { method: 'oauth/resource-metadata', nth: 9 } }, 1, 1],
  ])('is authorized through it, with the fault %j', async (fault, asked, given) => {
    const { url } = await protectedServer();
    const proxy = await proxyBefore(url, [fault]);
    await using client = await new Connected(name, proxy.url).open();
    for (const _ of [1, 2]) expect(await client.call('list')).toBe('listed');
    expect(client.application).toMatchObject({ asked, given });
    expect(proxy.troubles).toEqual([]);
  });
});

it('it names itself in the challenge and the metadata, and the server in the request for a token', async () => {
  const server = await protectedServer();
  const { url, origin } = await proxyBefore(server.url, [{ do: 'drop', when: { method: 'tools/call' } }]);
  const stranger = new Stranger(url);
  expect((await stranger.ask(undefined)).challenge).toContain(`resource_metadata="${origin}/.well-known/`);
  const metadata = await (await stranger.get('/.well-known/oauth-protected-resource/mcp')).json();
  expect(metadata).toMatchObject({ resource: url, authorization_servers: [origin] });
  const issuer = await (await stranger.get('/.well-known/oauth-authorization-server')).json();
  expect(issuer).toMatchObject({ issuer: origin, token_endpoint: `${origin}/token` });
  // The browser's address is that of the server; the form for a token names the proxy, as its client knows no other.
  const { access_token: token } = (await stranger.exchange(await stranger.code({ resource: server.url }))).body;
  const audience = JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).aud;
  expect(audience).toBe(server.url);
  expect((await stranger.ask(token)).status).toBe(200);
});

it('faults of the flow happen behind it', async () => {
  const server = await protectedServer();
  const proxy = await proxyBefore(server.url, [
    { do: 'oauth-error', when: { method: 'oauth/authorize' } },
    { do: 'http-status', status: 503, when: { method: 'oauth/token' } },
  ]);
  const stranger = new Stranger(proxy.url);
  await stranger.get('/.well-known/oauth-authorization-server');
  expect((await stranger.authorize()).back?.searchParams.get('error')).toBe('access_denied');
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const asked = await fetch(`${proxy.origin}/token`, { method: 'POST', headers, body: 'grant_type=x' });
  expect(asked.status).toBe(503);
  expect(proxy.fired.map(({ fault }) => fault)).toEqual(['oauth-error', 'http-status']);
});

/** A server at another origin, which answers each path with a body, or with a redirect to a URL. */
async function serverOf(answers: (origin: string) => Record<string, object | string>): Promise<string> {
  const server = createServer((request, response) => {
    const answer = answers(origin)[request.url!.split('?', 1)[0]!];
    if (typeof answer === 'string') response.writeHead(302, { location: answer }).end();
    else response.writeHead(answer ? 200 : 404, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return origin;
}

/** An origin at which nothing listens. */
const GONE = 'http://127.0.0.1:1';

describe('an authorization server at another origin', () => {
  const flow = async (authorize: (origin: string) => Record<string, object | string>) => {
    const issuer = await serverOf((origin) => ({
      '/.well-known/oauth-authorization-server': {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
      },
      '/token': { access_token: 'a' },
      ...authorize(origin),
    }));
    const server = await serverOf((origin) => ({
      '/.well-known/oauth-protected-resource/mcp': { resource: `${origin}/mcp`, authorization_servers: [issuer] },
    }));
    const proxy = await proxyBefore(`${server}/mcp`, [{ do: 'drop', when: { method: 'tools/call' } }]);
    const stranger = new Stranger(proxy.url);
    await stranger.get('/.well-known/oauth-protected-resource/mcp');
    const at = `/.mcp-record/${issuer.replace('://', '/')}`;
    const described = await stranger.get(`/.well-known/oauth-authorization-server${at}`);
    const metadata = (await described.json()) as Record<'authorization_endpoint' | 'token_endpoint', string>;
    return { proxy, issuer, at, metadata, stranger };
  };
  const query = `response_type=code&client_id=c&redirect_uri=${encodeURIComponent('http://127.0.0.1:1/back')}`;

  it('is reached through it, and its answer to the browser names it as the client knows it', async () => {
    const { proxy, at, metadata } = await flow((origin) => ({
      '/authorize': `http://127.0.0.1:1/back?code=k&iss=${encodeURIComponent(origin)}`,
    }));
    expect(metadata).toMatchObject({ issuer: proxy.origin + at, token_endpoint: `${proxy.origin}${at}/token` });
    expect(await (await fetch(metadata.token_endpoint, { method: 'POST' })).json()).toEqual({ access_token: 'a' });
    const sent = await fetch(`${metadata.authorization_endpoint}?${query}`, { redirect: 'manual' });
    expect(new URL(sent.headers.get('location')!).searchParams.get('iss')).toBe(proxy.origin + at);
    expect(proxy.troubles).toEqual([]);
  });

  it('shows its page to the browser at its own address', async () => {
    const { issuer, metadata } = await flow(() => ({ '/authorize': { a: 'page' } }));
    const sent = await fetch(`${metadata.authorization_endpoint}?${query}`, { redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, `${issuer}/authorize?${query}`]);
  });

  it('that cannot be reached is left to the browser', async () => {
    const { proxy, metadata } = await flow((origin) => ({
      '/.well-known/oauth-authorization-server': { issuer: origin, authorization_endpoint: `${GONE}/authorize` },
    }));
    const sent = await fetch(`${metadata.authorization_endpoint}?${query}`, { redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([302, `${GONE}/authorize?${query}`]);
    expect(proxy.troubles).toEqual(['HTTP_UPSTREAM_UNREACHABLE']);
  });

  it('that the server has not named is refused', async () => {
    const { proxy, stranger } = await flow(() => ({}));
    expect((await stranger.get('/.mcp-record/https/other.example/token')).status).toBe(404);
    expect(proxy.troubles).toEqual(['HTTP_REQUEST_REFUSED']);
  });

  it('refuses a form whose client signed the address of the proxy', async () => {
    const { proxy, metadata } = await flow(() => ({}));
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'grant_type=client_credentials&client_assertion=a.b.c';
    const answer = await fetch(metadata.token_endpoint, { method: 'POST', headers, body });
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_client' }]);
    expect(proxy.troubles).toEqual(['HTTP_CANNOT_AUTHORIZE']);
  });
});

it('metadata that no client can use through it is refused', async () => {
  const server = await serverOf(() => ({
    '/.well-known/oauth-protected-resource/mcp': { resource: 'r', dpop_bound_access_tokens_required: true },
  }));
  const proxy = await proxyBefore(`${server}/mcp`, [{ do: 'drop', when: { method: 'tools/call' } }]);
  const answer = await new Stranger(proxy.url).get('/.well-known/oauth-protected-resource/mcp');
  expect([answer.status, await answer.text()]).toEqual([502, expect.stringContaining('DPoP')]);
  expect(proxy.troubles).toEqual(['HTTP_CANNOT_AUTHORIZE']);
});
