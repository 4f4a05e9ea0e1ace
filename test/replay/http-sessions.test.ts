import { expect, it } from 'vitest';
import { SESSIONS_MAX } from '../../src/replay/http/http-mock-handler.ts';
import { call, client, request, result, server } from '../support/conversation.ts';
import { named } from './performed.ts';
import { served } from './served.ts';

const initialize = request(0, 'initialize', {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
});
const initialized = result(0, '');
Object.assign(initialized, {
  result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } },
});

it(`of more than ${SESSIONS_MAX} sessions the one that is silent for longest ends`, () => {
  const { post } = served(
    named('sessions', client(initialize), server(initialized), client(call(1, 'a')), server(result(1, 'A'))),
  );
  const begin = () => ({ 'mcp-session-id': post(initialize).headers['mcp-session-id']! });
  const [first, second, third] = [begin(), begin(), begin()];
  for (let n = 3; n < SESSIONS_MAX; n++) begin();
  expect(post(call(1, 'a'), first).status).toBe(200);
  begin();
  expect(post(call(1, 'a'), second)).toMatchObject({ status: 404, body: { error: { code: -32001 } } });
  expect(post(call(1, 'a'), third).status).toBe(200);
});

it('all sessions that expire are answered with 404, and the next begins anew', () => {
  const recorded = named(
    'expired',
    client(initialize),
    server(initialized),
    client(call(1, 'a')),
    server(result(1, 'A')),
  );
  const { post, server: mock } = served(recorded);
  const begin = () => ({ 'mcp-session-id': post(initialize).headers['mcp-session-id']! });
  const unused = () => mock.runs.map(({ file, unused: entries }) => [file, entries.map(({ message }) => message)]);
  const [first, second] = [begin(), begin()];
  post(call(1, 'a'), first);
  expect(unused()).toEqual([
    ['expired', [call(1, 'a')]],
    ['expired', []],
  ]);
  expect(mock.expireSessions()).toBe(2);
  expect(unused()).toEqual([]);
  for (const session of [first, second]) expect(post(call(1, 'a'), session).status).toBe(404);
  expect(post(call(1, 'a'), begin()).status).toBe(200);
  expect(mock.expireSessions()).toBe(1);
});

it('there are none to expire where each request is by itself', () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const recorded = named('stateless', client(request(1, 'tools/list', { _meta })), server(result(1, 'A')));
  expect(served(recorded).server.expireSessions()).toBeUndefined();
});
