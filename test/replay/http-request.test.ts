import { describe, expect, it } from 'vitest';
import { type HttpRequest, readPost, refusedGet } from '../../src/replay/http-request.ts';

const BOTH = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'é' } };
const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const MODERN = { ...CALL, params: { ...CALL.params, _meta } };
const modern = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': '=?base64?w6k=?=',
};

const post = (body: unknown, headers: object = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return readPost({ method: 'POST', headers: { ...BOTH, ...headers } as HttpRequest['headers'], body: text });
};

describe('what a client posts', () => {
  it('is read', () => {
    expect(post(CALL)).toMatchObject({ requests: [CALL], modern: false, initializes: false });
    expect(post([CALL, { jsonrpc: '2.0', method: 'notifications/x' }])).toMatchObject({ requests: [CALL] });
    expect(post({ ...CALL, method: 'initialize' })).toMatchObject({ initializes: true });
    expect(post(CALL, { accept: '*/*' })).toMatchObject({ requests: [CALL] });
    expect(post(CALL, { 'content-type': 'Application/JSON; charset=utf-8' })).toMatchObject({
      requests: [CALL],
    });
    expect(post(MODERN, modern)).toMatchObject({ modern: true });
  });

  it.each([
    ['another type', CALL, { 'content-type': 'text/plain' }, 415, -32000],
    ['no event stream accepted', CALL, { accept: 'application/json' }, 406, -32000],
    ['nothing accepted', CALL, { accept: undefined }, 406, -32000],
    ['no JSON', '{', {}, 400, -32700],
    ['no message', '[]', {}, 400, -32600],
    ['no object', '[1]', {}, 400, -32600],
    ['a batch of 2026-07-28', [MODERN], modern, 400, -32600],
    ['no revision in the headers', MODERN, { ...modern, 'mcp-protocol-version': undefined }, 400, -32020],
    ['another method in the headers', MODERN, { ...modern, 'mcp-method': 'x' }, 400, -32020],
    ['another name in the headers', MODERN, { ...modern, 'mcp-name': 'e' }, 400, -32020],
  ])('is refused: %s', (_, body, headers, status, code) => {
    const answer = post(body, headers);
    expect(answer).toMatchObject({ status });
    expect(JSON.parse((answer as { body: string }).body)).toMatchObject({ id: null, error: { code } });
  });
});

it('who listens has to accept events', () => {
  const get = (accept: string) => refusedGet({ method: 'GET', headers: { accept }, body: '' });
  expect(get('text/event-stream')).toBeUndefined();
  expect(get('text/html')).toMatchObject({ status: 406 });
});
