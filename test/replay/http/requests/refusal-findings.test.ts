import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../../src/channel/frame.ts';
import { META } from '../../../../src/protocol/meta.ts';
import { RefusalFindings } from '../../../../src/replay/http/requests/refusal-findings.ts';
import { call, client, notification, request, result, server } from '../../../support/conversation.ts';
import { named } from '../../performed.ts';
import { ACCEPT, BOTH, served } from '../../served.ts';

const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };
const initialize = request(0, 'initialize', params);
const welcome = { jsonrpc: '2.0' as const, id: 0, result: { ...params, serverInfo: { name: 's', version: '1' } } };
const EVENTS = [client(initialize), server(welcome), client(call(1, 'a')), server(result(1, 'A'))];
const _meta = { [META.protocolVersion]: '2026-07-28', [META.clientCapabilities]: {} };
const modernCall = request(1, 'tools/call', { name: 'a', _meta });
const MODERN = [client(modernCall), server(result(1, 'A'))];
const MODERN_HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'a' };

function opened() {
  const mock = served(named('one', ...EVENTS));
  const session = { 'mcp-session-id': mock.post(initialize).headers['mcp-session-id']! };
  const texts = () => mock.findings.map(({ kind, text }) => `${kind}: ${text}`);
  return { ...mock, session, texts };
}

describe('a request that a mock server over HTTP refuses', () => {
  const { session, ...mock } = opened();
  const elsewhere = { 'mcp-session-id': 'other' };

  it.each<[string, number, () => { status?: number }, string]>([
    [
      'no session',
      400,
      () => mock.post(call(2, 'a')),
      'POST of tools/call, refused with HTTP 400: Mcp-Session-Id is missing',
    ],
    [
      'another session',
      404,
      () => mock.post(call(2, 'a'), elsewhere),
      'POST of tools/call, refused with HTTP 404: There is no such session',
    ],
    [
      'a notification without its session',
      400,
      () => mock.post(notification('initialized')),
      'POST of notifications/initialized, refused with HTTP 400: Mcp-Session-Id is missing',
    ],
    [
      'an answer without its session',
      400,
      () => mock.post(result(1, 'x')),
      'POST of a response, refused with HTTP 400: Mcp-Session-Id is missing',
    ],
    [
      'another Accept',
      406,
      () => mock.ask('POST', { ...BOTH, ...session, accept: 'application/json' }, call(2, 'a')),
      'POST of tools/call, refused with HTTP 406: Accept lacks application/json or text/event-stream',
    ],
    [
      'another Content-Type',
      415,
      () => mock.ask('POST', { ...ACCEPT, ...session, 'content-type': 'text/plain' }, call(2, 'a')),
      'POST of tools/call, refused with HTTP 415: Content-Type is not application/json',
    ],
    [
      'no JSON',
      400,
      () => mock.ask('POST', { ...BOTH, ...session }, '{'),
      'POST, refused with HTTP 400: The body is no JSON',
    ],
    [
      'a batch',
      400,
      () => mock.post([call(2, 'a')], { ...session, 'mcp-protocol-version': '2025-11-25' }),
      'POST of tools/call, refused with HTTP 400: There are no batches in this revision',
    ],
    [
      'no such revision',
      400,
      () => mock.post(call(2, 'a'), { ...session, 'mcp-protocol-version': '1999-01-01' }),
      'POST of tools/call, refused with HTTP 400: Unsupported protocol version: 1999-01-01 is none of 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25',
    ],
    [
      'a second initialize',
      400,
      () => mock.post(initialize, session),
      'POST of initialize, refused with HTTP 400: The session is initialized already',
    ],
    [
      'a GET without its session',
      400,
      () => mock.ask('GET', ACCEPT),
      'GET, refused with HTTP 400: Mcp-Session-Id is missing',
    ],
    [
      'a GET of another session',
      404,
      () => mock.ask('GET', { ...ACCEPT, ...elsewhere }),
      'GET, refused with HTTP 404: There is no such session',
    ],
    [
      'a GET without Accept',
      406,
      () => mock.ask('GET', session),
      'GET, refused with HTTP 406: Accept lacks text/event-stream',
    ],
    [
      'a DELETE of another session',
      404,
      () => mock.ask('DELETE', elsewhere),
      'DELETE, refused with HTTP 404: There is no such session',
    ],
    ['another HTTP method', 405, () => mock.ask('PUT', session), 'PUT, refused with HTTP 405: There is no PUT here'],
  ])('differs from the recorded client, once: %s', (_, status, ask, text) => {
    const before = mock.findings.length;
    expect([ask().status, ask().status]).toEqual([status, status]);
    const differs = { kind: 'differs', text: `The client sent a ${text}.` };
    expect(mock.findings.slice(before)).toEqual([differs]);
  });

  it('differs from a client of 2026-07-28, if its headers contradict its message', () => {
    const mock = served(named('one', ...MODERN));
    expect(mock.post(modernCall, { ...MODERN_HEADERS, 'mcp-name': 'b' }).status).toBe(400);
    expect(mock.findings).toMatchObject([{ text: expect.stringContaining('mcp-name is not what the body says') }]);
  });

  it('differs over HTTP with SSE', () => {
    const mock = opened();
    const send = (target: string, method = 'POST') =>
      mock.server.serve({ method, target, headers: {}, body: '{}' }, { answer() {} } as never);
    send('/messages?sessionId=other');
    send('/messages', 'PUT');
    expect(mock.texts()).toEqual([
      'differs: The client sent a POST, refused with HTTP 404: There is no such session.',
      'differs: The client sent a PUT, refused with HTTP 405: Messages are posted here.',
    ]);
  });
});

describe('a refusal that a client may provoke is no difference', () => {
  it('asks for the stream or the end of a session that a server need not have', () => {
    const mock = served({ ...named('one', ...EVENTS), listens: false });
    const session = { 'mcp-session-id': mock.post(initialize).headers['mcp-session-id']! };
    const stateless = served(named('one', ...MODERN));
    const statuses = [
      mock.ask('GET', { ...ACCEPT, ...session }),
      stateless.ask('GET', ACCEPT),
      stateless.ask('DELETE'),
    ].map(({ status }) => status);
    expect([statuses, mock.findings, stateless.findings]).toEqual([[405, 405, 405], [], []]);
  });

  it('asks a server of one generation for the other', () => {
    const mock = served(named('one', ...EVENTS));
    expect(mock.post(modernCall, MODERN_HEADERS).status).toBe(400);
    expect(mock.post(request(1, 'ping')).status).toBe(400);
    const modern = served(named('one', ...MODERN));
    const newer = { ..._meta, [META.protocolVersion]: '2027-01-01' };
    const asked = request(1, 'tools/call', { name: 'a', _meta: newer });
    expect(modern.post(asked, { ...MODERN_HEADERS, 'mcp-protocol-version': '2027-01-01' }).status).toBe(400);
    expect([mock.findings, modern.findings]).toEqual([[], []]);
  });

  it('looks for HTTP with SSE, or for a server at all, before it has a session', () => {
    const mock = served(named('one', ...EVENTS));
    expect([mock.ask('GET', ACCEPT).status, mock.ask('GET').status, mock.ask('HEAD').status]).toEqual([400, 406, 405]);
    expect(mock.findings).toEqual([]);
  });

  it('goes on with a session that has ended', () => {
    const mock = opened();
    mock.ask('DELETE', mock.session);
    const again = mock.post(initialize).headers['mcp-session-id']!;
    mock.server.expireSessions();
    const gone = [mock.session, { 'mcp-session-id': again }].map((session) => mock.post(call(2, 'a'), session).status);
    expect([gone, mock.ask('GET', ACCEPT).status, mock.ask('DELETE', mock.session).status]).toEqual([
      [404, 404],
      400,
      404,
    ]);
    expect(mock.texts().filter((text) => !text.startsWith('unused'))).toEqual([]);
  });

  it('is in the cassette', () => {
    const refused: Frame = { kind: 'http-response', at: 0, from: 'server', stream: 9, status: 406 };
    const recorded = named('one', ...EVENTS);
    const mock = served(recorded, {
      ...recorded,
      plan: { ...recorded.plan, entries: [...recorded.plan.entries, { ...recorded.plan.entries[0]!, frame: refused }] },
    });
    expect(mock.ask('POST', { 'content-type': 'application/json' }, initialize).status).toBe(406);
    expect(mock.findings).toEqual([]);
  });

  it.each([
    ['corrupt', 0],
    ['version', 0],
    ['one-of-a-plugin', 0],
    ['latency', 1],
    ['session-lost', 1],
  ])('comes after a fault that changed what was said: %s', (fault, found) => {
    const mock = opened();
    mock.server.faulted({ rule: 1, fault, from: 'client', message: 1 });
    expect(mock.post(call(2, 'a')).status).toBe(400);
    expect(mock.findings).toHaveLength(found);
  });
});

it('an MCP message at another path is reported once, and a request for metadata is not', () => {
  const texts: string[] = [];
  const findings = new RefusalFindings({
    recorded: new Set(),
    issued: new Set(),
    report: ({ text }) => void texts.push(text),
  });
  const sent = (method: string, target: string, body = '', headers: Record<string, string> = {}) =>
    findings.strayed({ method, target, body, headers }, '/mcp');
  sent('GET', '/.well-known/oauth-protected-resource');
  expect(texts).toEqual([]);
  for (let time = 0; time < 2; time++) sent('POST', '/mpc?a=b', JSON.stringify([call(2, 'a')]));
  sent('DELETE', '/api', '', { 'mcp-session-id': 'a' });
  expect(texts).toEqual([
    'The client sent a POST of tools/call to /mpc, refused with HTTP 404: the endpoint is /mcp.',
    'The client sent a DELETE to /api, refused with HTTP 404: the endpoint is /mcp.',
  ]);
  findings.faulted({ fault: 'corrupt' });
  sent('POST', '/other', JSON.stringify(call(3, 'a')));
  expect(texts).toHaveLength(2);
});
