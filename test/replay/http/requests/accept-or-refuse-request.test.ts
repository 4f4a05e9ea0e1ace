import { describe, expect, it } from 'vitest';
import {
  type HttpRequest,
  readPost,
  refusedGet,
} from '../../../../src/replay/http/requests/accept-or-refuse-request.ts';
import type { ServerRequirements } from '../../../../src/replay/http/requests/infer-server-requirements.ts';

const BOTH = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'é' } };
const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const MODERN = { ...CALL, params: { ...CALL.params, _meta } };
const modern = {
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': 'tools/call',
  'mcp-name': '=?base64?w6k=?=',
};

const rules: ServerRequirements = {
  legacy: new Set(['2025-11-25']),
  modern: new Set(['2026-07-28']),
  params: new Map(),
  batches: false,
  refusals: new Set<number>(),
};
const post = (body: unknown, headers: object = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const given = { ...BOTH, ...headers } as HttpRequest['headers'];
  return readPost({ method: 'POST', headers: given, body: text }, rules);
};

describe('what a client posts', () => {
  it('is of 2026-07-28 where only its header says so, and lacks the rest then, but in a session it is not', () => {
    const named = { 'mcp-protocol-version': '2026-07-28' };
    const { status, body } = post(CALL, named) as { status: number; body: string };
    expect([status, JSON.parse(body)]).toMatchObject([400, { id: 1, error: { code: -32602 } }]);
    expect(post(CALL, { ...named, 'mcp-session-id': 's' })).toMatchObject({ modern: false });
    expect(post({ ...CALL, method: 'initialize' }, named)).toMatchObject({
      modern: false,
      initializes: true,
    });
  });

  it('is read', () => {
    expect(post(CALL)).toMatchObject({ requests: [CALL], modern: false, initializes: false });
    expect(post([CALL, { jsonrpc: '2.0', method: 'notifications/x' }])).toMatchObject({ requests: [CALL] });
    expect(post({ ...CALL, method: 'initialize' })).toMatchObject({ initializes: true });
    expect(post(CALL, { accept: '*/*' })).toMatchObject({ requests: [CALL] });
    expect(post(CALL, { accept: 'application/*, text/*;q=0.5' })).toMatchObject({ requests: [CALL] });
    expect(post(CALL, { 'content-type': 'Application/JSON; charset=utf-8' })).toMatchObject({
      requests: [CALL],
    });
    expect(post(MODERN, modern)).toMatchObject({ modern: true });
  });

  it('is refused by nothing that is only demanded later', () => {
    expect(post(CALL, { 'mcp-method': 'x', 'mcp-name': 'x' })).toMatchObject({ requests: [CALL] });
  });

  it('is refused with its id where it has one that could be read', () => {
    const { body } = post(MODERN, { ...modern, 'mcp-name': 'e' }) as { body: string };
    expect(JSON.parse(body)).toMatchObject({ id: 1, error: { code: -32020 } });
    const unread = post('{') as { body: string };
    expect(JSON.parse(unread.body)).toMatchObject({ id: null, error: { code: -32700 } });
  });
});

it('who listens has to accept events', () => {
  const get = (accept: string) => refusedGet({ method: 'GET', headers: { accept }, body: '' });
  expect(get('text/event-stream')).toBeUndefined();
  expect(get('text/html')).toMatchObject({ status: 406 });
});
