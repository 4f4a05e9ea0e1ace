import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Stranger } from '../../../mock/authorization/stranger.ts';
import { mcpRecord } from '../../../support/command.ts';
import { Running, run } from '../../../support/process.ts';
import { authFiles, said } from './auth-files.ts';

const { folder, fileOf, cassette, mock } = authFiles();

const GAVE_UP = /The client was refused with 401 at initialize, and never came back with a valid token\./;

it.each([
  ['replay', ['replay', '--http', '--auth', cassette], 0, /With --strict or --on-difference fail it fails/],
  ['replay --on-difference', ['replay', '--http', '--on-difference', 'fail', '--auth', cassette], 1, GAVE_UP],
  [
    'replay --on-difference --control',
    ['replay', '--http', '--on-difference', 'fail', '--auth', '--control', '0', cassette],
    1,
    GAVE_UP,
  ],
  ['replay --strict', ['replay', '--http', '--strict', '--auth', cassette], 1, GAVE_UP],
  ['replay, with a fault', ['replay', '--http', '--auth', '--fault', 'latency:ping:delay=1', cassette], 0, GAVE_UP],
  ['replay --control', ['replay', '--http', '--auth', '--control', '0', cassette], 0, /With --strict or /],
  ['mock', ['mock', '--http', '--auth', mock], 0, /may give up\. With --on-difference fail it fails/],
  ['mock --control', ['mock', '--http', '--auth', '--control', '0', mock], 0, /With --on-difference fail it fails/],
  ['mock --on-difference', ['mock', '--http', '--on-difference', 'fail', '--auth', mock], 1, GAVE_UP],
  [
    'mock --on-difference --control',
    ['mock', '--http', '--on-difference', 'fail', '--auth', '--control', '0', mock],
    1,
    GAVE_UP,
  ],
])('%s says at its end that a client never came back with a valid token', async (_, words, status, also) => {
  await using server = new Running(mcpRecord(...words));
  const stranger = new Stranger(await said(server, /listening on (\S+)/));
  expect((await stranger.ask(undefined)).status).toBe(401);
  server.signal('SIGTERM');
  const ended = await server.read().ended;
  expect(ended.stderr).toMatch(GAVE_UP);
  expect(ended.stderr).toMatch(also);
  expect(ended.stderr.includes('This does not fail the run')).toBe(status === 0);
  expect(ended.status).toBe(status);
});

it.each([
  ['replay', ['replay', '--http', '--auth', cassette], 0],
  ['replay --on-difference', ['replay', '--http', '--on-difference', 'fail', '--auth', cassette], 1],
  ['mock', ['mock', '--http', '--auth', mock], 0],
  ['mock --on-difference', ['mock', '--http', '--on-difference', 'fail', '--auth', mock], 1],
])('%s says that its authorization server refused a refresh', async (_, words, status) => {
  await using server = new Running(mcpRecord(...words));
  const stranger = new Stranger(await said(server, /listening on (\S+)/));
  const { body } = await stranger.exchange(await stranger.code());
  expect((await stranger.ask(body.access_token)).status).toBe(200);
  expect((await stranger.refresh('used')).status).toBe(400);
  server.signal('SIGTERM');
  const ended = await server.read().ended;
  expect(ended.stderr).toContain('refused POST /token: invalid_grant: There is no such refresh token');
  expect(ended.status).toBe(status);
});

it.each(['token-refused:initialize', 'http-status:initialize:status=401'])(
  'replay says it of a client that the fault %s refuses, without --auth',
  async (fault) => {
    await using server = new Running(mcpRecord('replay', '--http', '--fault', fault, cassette));
    const stranger = new Stranger(await said(server, /listening on (\S+)/));
    expect((await stranger.ask('fixed')).status).toBe(401);
    server.signal('SIGTERM');
    expect((await server.read().ended).stderr).toMatch(GAVE_UP);
  },
);

/** A client of a raw `fetch`, which sends its token with each message. */
async function session(url: string, name: string): Promise<(method: string, token: string) => Promise<number>> {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const post = async (method: string, token: string, params: object = {}) => {
    const sent = { ...headers, authorization: `Bearer ${token}` };
    const body = JSON.stringify({ jsonrpc: '2.0', id: method, method, params });
    const response = await fetch(url, { method: 'POST', headers: sent, body });
    await response.text();
    headers['mcp-session-id'] ??= response.headers.get('mcp-session-id')!;
    return response.status;
  };
  const clientInfo = { name, version: '1' };
  expect(await post('initialize', 'k', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })).toBe(200);
  headers['mcp-protocol-version'] = '2025-06-18';
  return post;
}

it.each([
  ['mock', ['mock', '--http', mock]],
  ['mock --control', ['mock', '--http', '--control', '0', mock]],
  ['replay', ['replay', '--http', cassette]],
  ['replay, with a fault', ['replay', '--http', '--fault', 'latency:ping:delay=1', cassette]],
])('%s says that a client never came back, although another client makes the same request', async (_, words) => {
  const auth = fileOf('tokens: [k]\n');
  await using server = new Running(mcpRecord(...words, '--auth-file', auth));
  const url = await said(server, /listening on (\S+)/);
  const [alpha, beta] = [await session(url, 'alpha'), await session(url, 'beta')];
  const statuses = [await alpha('tools/list', 'bad'), await beta('tools/list', 'k')];
  server.signal('SIGTERM');
  expect([statuses, (await server.read().ended).stderr]).toEqual([
    [401, 200],
    expect.stringContaining(
      'The client "alpha" was refused with 401 at tools/list, and never came back with a valid token.',
    ),
  ]);
});

it('programs make its tokens expire, and begin anew', async () => {
  const auth = fileOf('scopes: [read]\nissuerPath: /tenant\n');
  await using server = new Running(mcpRecord('replay', '--http', '--auth-file', auth, '--control', '0', cassette));
  const control = await said(server, /control API on (\S+)/);
  const stranger = new Stranger(await said(server, /listening on (\S+)/));
  expect(await said(server, /issued by (\S+)/)).toBe(`${stranger.origin}/tenant`);
  const token = async (): Promise<string> => {
    const form = `grant_type=client_credentials&client_id=a&client_secret=b&resource=${stranger.url}`;
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await fetch(`${stranger.origin}/tenant/token`, { method: 'POST', body: form, headers });
    const { access_token: granted, scope } = (await response.json()) as Record<string, string>;
    expect(scope).toBe('read');
    return granted!;
  };
  const [first, second] = [await token(), await token()];
  const headers = { 'content-type': 'application/json' };
  const faults = JSON.stringify({ faults: ['token-refused'] });
  expect(await fetch(`${control}/faults`, { method: 'PUT', body: faults, headers })).toMatchObject({ status: 200 });
  const statuses = [];
  for (const one of [first, first, second]) statuses.push((await stranger.ask(one)).status);
  await fetch(`${control}/reset`, { method: 'POST' });
  for (const one of [first, second, await token()]) statuses.push((await stranger.ask(one)).status);
  expect(statuses).toEqual([401, 401, 200, 401, 401, 200]);
});

it.each([
  ['replay', cassette],
  ['mock', mock],
])('%s with --control says that a step-up has no effect yet, because a tool may be added', async (command, served) => {
  const auth = fileOf('stepUp:\n- { tool: later, scopes: [b] }\n');
  await using server = new Running(mcpRecord(command, '--http', '--auth-file', auth, '--control', '0', served));
  expect(await said(server, /(This rule has no effect.*)/)).toContain('unless PUT /handlers adds the tool');
  await said(server, /listening on (\S+)/);
});

describe('does not start', () => {
  it.each([
    ['with a file that is not there', join(folder, 'none.yaml'), /\[MOCK_AUTH_UNREADABLE\]/],
    [
      'with an unknown key',
      fileOf('scopes: [a]\ntokenLifetim: 5\n'),
      /\[MOCK_AUTH_BAD\]\n.*yaml:2:1\n(?:.*\n)*.*"tokenLifetime"/,
    ],
  ])('%s', async (_, file, text) => {
    const { stderr, status } = await run(mcpRecord('mock', '--http', '--auth-file', file, mock));
    expect([status, stderr]).toEqual([2, expect.stringMatching(text)]);
  });

  it.each([
    ['tokenLifetime: soon4Xyz\n', '"tokenLifetime" has a value', 'tokenLifetime: …'],
    ['tokens: soon4Xyz\n', '"tokens" has a value', 'tokens: …'],
    ['clients:\n- id: a\n  clientSecert: soon4Xyz\n', 'nothing is called "clientSecert"', 'clientSecert: …'],
    ['clients:\n- { id: a, secret: soon4Xyz, authorizatoin: 1 }\n', 'nothing is called "authorizatoin"', 'yaml:2:'],
    ['tokens:\n  password: soon4Xyz\n', '"tokens" has a value', 'tokens: …'],
  ])('with a bad key, which the error names, and never a value: %j', async (text, why, place) => {
    const { stderr, status } = await run(mcpRecord('mock', '--http', '--auth-file', fileOf(text), mock));
    expect([status, stderr]).toEqual([2, expect.stringContaining(why)]);
    expect(stderr).toContain(place);
    expect(stderr).not.toMatch(/soon4Xyz|redacted/);
  });

  it.each([
    ['replay', cassette, 'There is "weather".'],
    ['mock', mock, 'Did you mean "one"?'],
  ])('%s with a step-up for a tool that it does not have', async (command, served, next) => {
    const auth = fileOf('scopes: [a]\nstepUp:\n- { tool: oen, scopes: [b] }\n');
    const { stderr, status } = await run(mcpRecord(command, '--http', '--auth-file', auth, served));
    expect([status, stderr]).toEqual([2, expect.stringMatching(/tool "oen"\. \[MOCK_AUTH_BAD\]\n.*yaml:3:/)]);
    expect(stderr).toContain(next);
  });

  it('without --http', async () => {
    const { stderr, status } = await run(mcpRecord('replay', '--auth', cassette));
    expect([status, stderr]).toEqual([2, expect.stringContaining('[USAGE_OPTION_WITHOUT_MEANING]')]);
  });
});
