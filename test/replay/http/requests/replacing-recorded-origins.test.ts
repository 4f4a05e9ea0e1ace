import { afterEach, describe, expect, it } from 'vitest';
import { mockServer } from '../../../../src/adapters/mock-server/mock-server.ts';
import type { HttpMockServer, HttpOptions } from '../../../../src/adapters/mock-server/mock-server-types.ts';
import { parseCassette } from '../../../../src/cassette/read/parse-cassette.ts';

const FAR = 'https://mcp.example';
const OTHER = 'https://auth.example';
const CHALLENGE = [
  `Bearer error="insufficient_scope", resource_metadata="${FAR}/.well-known/oauth-protected-resource/mcp"`,
  `error_uri=https://MCP.example:443/help, other="${OTHER}/a?at=1", like="${FAR}.evil/b"`,
].join(', ');
const HEADERS = { 'content-type': 'application/json', 'www-authenticate': CHALLENGE };

function cassette(url = `${FAR}/mcp`) {
  const events = [
    { client: { jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }, stream: 1 },
    { server: { jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-11-25' } }, stream: 1, session: 'new' },
    { client: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete', arguments: {} } }, stream: 2 },
    { response: 403, stream: 2, headers: HEADERS, body: '{"error":"insufficient_scope"}' },
    { client: { jsonrpc: '2.0', id: 2, method: 'tools/list' }, stream: 3 },
    { response: 401, stream: 3, headers: HEADERS, body: '{"error":"invalid_token"}' },
  ].map((event) => `- ${JSON.stringify(event)}\n`);
  const header = `format: mcp-record/1\nrecorder: mcp-record 0.1.0\ntransport: http\nurl: ${url}\n`;
  return parseCassette(`${header}events:\n${events.join('')}- end: complete\n`, 'recorded.yaml');
}

let server: HttpMockServer | undefined;
afterEach(async () => {
  await server?.finish();
  server = undefined;
});

/** Returns the challenges to a call and to a list, and the origin that the client knows. */
async function challenges(options: Partial<HttpOptions> = {}, url?: string) {
  server = await mockServer(cassette(url), { over: 'http', onUnused: 'report', ...options } as HttpOptions);
  const to = server.url;
  const headers: Record<string, string> = {
    ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    authorization: 'Bearer given',
  };
  const post = (body: object) => fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  const opened = await post({
    ...{ jsonrpc: '2.0', id: 0, method: 'initialize' },
    params: { protocolVersion: '2025-11-25' },
  });
  headers['mcp-session-id'] = opened.headers.get('mcp-session-id')!;
  headers['mcp-protocol-version'] = '2025-11-25';
  const call = await post({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'delete', arguments: {} } },
  });
  const list = await post({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  expect([call.status, list.status]).toEqual([403, 401]);
  return { near: new URL(to).origin, all: [call, list].map((one) => one.headers.get('www-authenticate')) };
}

describe('a replayed challenge', () => {
  it.each([{}, { auth: { tokens: ['given'] } }])(
    'names the replay in place of the recorded origin, and other origins as recorded: %o',
    async (options) => {
      const { near, all } = await challenges(options);
      const expected = [
        `Bearer error="insufficient_scope", resource_metadata="${near}/.well-known/oauth-protected-resource/mcp"`,
        `error_uri=${near}/help, other="${OTHER}/a?at=1", like="${FAR}.evil/b"`,
      ].join(', ');
      expect(all).toEqual([expected, expected]);
    },
  );

  it('stays if the cassette names another endpoint', async () => {
    expect((await challenges({}, 'https://else.example/mcp')).all).toEqual([CHALLENGE, CHALLENGE]);
  });
});
