import { Socket } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { META } from '../../../src/protocol/meta.ts';
import { dialing } from './dialing.ts';
import { chunk, get, post, STREAM, wires } from './wire.ts';

describe('a proxy', () => {
  it.each([
    ['400 Bad Request', '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"No"}}'],
    ['401 Unauthorized', '{"error":"invalid_token"}'],
    ['403 Forbidden', 'Origin'],
    ['404 Not Found', 'Session not found'],
    ['405 Method Not Allowed', ''],
    ['406 Not Acceptable', 'Accept'],
    ['409 Conflict', 'One stream'],
    ['413 Payload Too Large', 'x'],
    ['415 Unsupported Media Type', 'x'],
    ['429 Too Many Requests', 'x'],
    ['503 Service Unavailable', '<h1>Later</h1>'],
  ])('passes a refusal with its status, fields and body: %s (§6, §14)', async (status, body) => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    const fields = 'Allow: POST\r\nRetry-After: 7\r\nWWW-Authenticate: Bearer scope="a b"\r\n';
    const answer = `HTTP/1.1 ${status}\r\n${fields}Content-Length: ${body.length}\r\n`;
    far.says(`${answer}\r\n${body}`);
    expect(await client.hears(`\r\n\r\n${body}`)).toBe(`${answer}Connection: keep-alive\r\n\r\n${body}`);
  });

  it('passes 202 without a body, and 405 to who would listen (§6)', async () => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    far.says('HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n');
    expect(await client.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 202 Accepted\r\n.*\r\n\r\n$/s);
    client.says(get(line.port));
    await far.hears('\r\n\r\n');
    far.says('HTTP/1.1 405 Method Not Allowed\r\nAllow: POST\r\nContent-Length: 0\r\n\r\n');
    expect(await client.hears('\r\n\r\n')).toMatch(/^HTTP\/1.1 405 .*Allow: POST\r\n/s);
  });

  it.each([
    'Mcp-Session-Id: 0b!~',
    'mcp-session-id: s',
    'Last-Event-ID: stream_7',
    'MCP-Protocol-Version: 2099-01-01',
    'Mcp-Method: tools/call',
    'Mcp-Name: =?base64?ZcOp?=',
    'Mcp-Param-Region: =?base64?IA==?=',
    'Mcp-Of-The-Future: 1',
    'Authorization: Bearer planted',
  ])('passes %s as the client wrote it (§6, §7, §13, §14)', async (field) => {
    await using line = await wires();
    line.client().says(post(line.port, '{}', field));
    using far = await line.far();
    expect(await far.hears('{}')).toContain(`\r\n${field}\r\n`);
  });

  it.each([
    'id: 1_0\nretry: 300\ndata: \n\n',
    ': keepalive\n\n',
    'data: {"jsonrpc":\r\ndata: "2.0"}\r\n\r\n',
    'event: message\rdata: {}\r\r',
    'event: of the future\nodd\ndata\n\n',
  ])('passes events byte for byte: %j (§6)', async (event) => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    far.says(STREAM);
    await client.hears('\r\n\r\n');
    far.says(chunk(event));
    expect(await client.hears(event)).toBe(chunk(event));
  });

  it('gives no connection of a stream a time after which it would be cut (§14, "Silent streams")', async () => {
    await using line = await wires();
    const limited = vi.spyOn(Socket.prototype, 'setTimeout');
    const client = line.client().says(get(line.port));
    using far = await line.far();
    await far.hears('\r\n\r\n');
    far.says(STREAM);
    await client.hears('\r\n\r\n');
    far.says(chunk('data: 1\n\n'));
    await client.hears('data: 1\n\n');
    expect(limited.mock.calls.filter(([limitMs]) => limitMs > 0)).toEqual([]);
    limited.mockRestore();
  });

  it('says nothing to the server for a client that left: leaving is no cancel of ours (§6, §7)', async () => {
    await using line = await wires();
    const client = line.client().says(post(line.port, '{}'));
    using far = await line.far();
    await far.hears('{}');
    far.says(STREAM);
    await client.hears('\r\n\r\n');
    client.socket.destroy();
    await far.left;
    expect([far.heard, line.uninvited]).toEqual(['', 0]);
  });
});

describe('a mock client', () => {
  const modern = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/list',
    params: { _meta: { [META.protocolVersion]: '2026-07-28' } },
  });

  it('of 2026-07-28 is in no session, whatever the server issues, and only posts (§7)', async () => {
    await using both = await dialing({ opensStream: true });
    both.says(modern(1));
    const first = await both.arrives();
    first.answers({ jsonrpc: '2.0', id: 1, result: {} }, { 'mcp-session-id': 'issued' });
    await both.hears();
    both.says(modern(2));
    const second = await both.arrives();
    expect([first.method, second.method]).toEqual(['POST', 'POST']);
    expect(second.headers).not.toHaveProperty('mcp-session-id');
    expect(second.headers).toMatchObject({
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    });
    expect(both.dialer.isInSession).toBe(false);
  });

  it('says its credentials with every request, in a field and never in the URL (§13)', async () => {
    await using both = await dialing({ headers: { authorization: 'Bearer planted' }, opensStream: true });
    for (const id of [1, 2]) {
      both.says({ jsonrpc: '2.0', id, method: 'tools/list' });
      const { headers, path, answers } = await both.arrives();
      expect([headers.authorization, path]).toEqual(['Bearer planted', '/mcp']);
      answers({ jsonrpc: '2.0', id, result: {} });
    }
  });
});
