import { describe, expect, it } from 'vitest';
import { mockServer, tool } from '../../../src/adapters/mock.ts';
import { RefusalFindings } from '../../../src/replay/http/requests/refusal-findings.ts';
import { connectTo } from '../clients.ts';

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'add' } };
const text = (method: string, path: string) =>
  `differs: The client sent a ${method} to ${path}, refused with HTTP 404: the endpoint is /mcp.`;

/** What fails a test whose client also sends a request to `path`, and swallows the answer. */
async function failures(path: string, init: RequestInit): Promise<string[]> {
  const server = await mockServer({ over: 'http', handlers: [tool('add', () => '3')] });
  const peer = await connectTo(server, 'SDK 1');
  await peer.request('tools/call', { name: 'add' });
  expect((await fetch(new URL(path, server.url), init)).ok).toBe(false);
  await peer.close();
  return (await server.finish()).failures.map(({ kind, text }) => `${kind}: ${text}`);
}

const post = (message: unknown) => ({ method: 'POST', body: JSON.stringify(message) });

describe('a mock server over HTTP finds, at a path that is not its endpoint,', () => {
  it.each<[string, string, RequestInit, string]>([
    ['a request', '/mcp/', post(call), text('POST of tools/call', '/mcp/')],
    ['a request to the root', '/', post(call), text('POST of tools/call', '/')],
    ['a request with a query', '/mpc?a=b', post(call), text('POST of tools/call', '/mpc')],
    [
      'a notification',
      '/api/mcp',
      post({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      text('POST of notifications/initialized', '/api/mcp'),
    ],
    ['an answer', '/api', post({ jsonrpc: '2.0', id: 1, result: {} }), text('POST of a response', '/api')],
    ['a batch', '/api', post([call, call]), text('POST of tools/call', '/api')],
    ['the end of a session', '/api', { method: 'DELETE', headers: { 'mcp-session-id': 'a' } }, text('DELETE', '/api')],
  ])('%s', async (_, path, init, expected) => {
    expect(await failures(path, init)).toEqual([expected]);
  });

  it.each<[string, RequestInit]>([
    ['/.well-known/oauth-protected-resource/mcp', {}],
    ['/.well-known/oauth-authorization-server', { headers: { 'mcp-protocol-version': '2025-11-25' } }],
    ['/register', post({ client_name: 'a', redirect_uris: ['http://127.0.0.1/'] })],
    ['/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) }],
    ['/authorize?client_id=a', {}],
    ['/favicon.ico', {}],
    ['/health', { headers: { accept: 'text/event-stream' } }],
  ])('but not what clients look for at %s', async (path, init) => {
    expect(await failures(path, init)).toEqual([]);
  });

  it('and nothing after a fault that changes what it says', () => {
    const handlers = new RefusalFindings({ recorded: new Set(), issued: new Set(), report: unexpected });
    handlers.faulted({ fault: 'version' });
    handlers.strayed({ method: 'POST', target: '/a', headers: {}, body: JSON.stringify(call) }, '/mcp');
  });
});

function unexpected({ text }: { text: string }): never {
  throw new Error(text);
}
