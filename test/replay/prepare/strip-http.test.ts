import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { isNotification } from '../../../src/protocol/message.ts';
import { stripHttp } from '../../../src/replay/prepare/strip-http.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const HTTP = `format: mcp-record/1
transport: http
url: http://127.0.0.1:1/mcp
events:
- client: { jsonrpc: "2.0", id: 1, method: x }
  stream: 1
- response: sse
  stream: 1
- sse: { id: a }
  stream: 1
- server: { jsonrpc: "2.0", id: 1, result: {} }
  stream: 1
  sse: { id: b }
- open: DELETE
  stream: 2
- server: { jsonrpc: "2.0", id: null, error: { code: -32000, message: gone } }
  stream: 2
  status: 404
- open: GET
  stream: 3
  resumes: b
- server: { jsonrpc: "2.0", method: notifications/late }
  stream: 3
`;

it('a session over HTTP is what its sides said, and in which conversation', () => {
  const { header, events } = stripHttp(parseCassette(HTTP, 'cassette.yaml'));
  expect([header.transport, 'url' in header]).toEqual(['stdio', false]);
  expect(events.map(({ frame, line }) => ({ ...frame, at: line, json: undefined }))).toMatchObject([
    { kind: 'message', from: 'client', at: 5 },
    { kind: 'message', from: 'server', at: 11, sse: {} },
    { kind: 'message', from: 'server', at: 22 },
  ]);
  expect(events.map(({ frame }) => frame.stream)).toEqual([1, 1, 1]);
});

it('a session over stdio is left alone', () => {
  const stdio = cassette(client(call(1, 'a')), server(result(1, 'A')));
  expect(stripHttp(stdio)).toBe(stdio);
});

it('an error that answers no request stays where it was an event, and not where it was a refusal', () => {
  const error = '{ jsonrpc: "2.0", id: null, error: { code: -32700, message: "?" } }';
  const event = `${HTTP}- server: ${error}\n  stream: 1\n  sse: {}\n`;
  expect(stripHttp(parseCassette(event, 'cassette.yaml')).events).toHaveLength(4);
});

it('what was delivered again to a client that went on with its stream was said once', () => {
  const again = `${HTTP}- open: GET
  stream: 4
  resumes: a
- server: { jsonrpc: "2.0", id: 1, result: {} }
  stream: 4
  sse: { id: b }
`;
  expect(stripHttp(parseCassette(again, 'cassette.yaml')).events).toHaveLength(3);
  const other = again.replace('  resumes: a\n', '');
  expect(stripHttp(parseCassette(other, 'cassette.yaml')).events).toHaveLength(4);
});

describe('a subscription that a client ends', () => {
  const params = '{ _meta: { io.modelcontextprotocol/protocolVersion: "2026-07-28" }, notifications: {} }';
  const listen = `- client: { jsonrpc: "2.0", id: l, method: subscriptions/listen, params: ${params} }\n  stream: 1\n`;
  const close = '- close: client\n  stream: 1\n';
  const cancel =
    '- client: { jsonrpc: "2.0", method: notifications/cancelled, params: { requestId: l } }\n  stream: 2\n';
  const cancels = (...events: string[]) =>
    stripHttp(parseCassette(`${HTTP.split('- client')[0]}${events.join('')}`, 'cassette.yaml')).events.filter(
      ({ frame }) => frame.kind === 'message' && isNotification(frame.json.value),
    );

  it.each([
    ['by closing its stream and by a cancel', [close, cancel]],
    ['by a cancel before it closes its stream', [cancel, close]],
    ['by closing its stream', [close]],
    ['by a cancel', [cancel]],
  ])('%s is cancelled once', (_, events) => {
    expect(cancels(listen, ...events)).toHaveLength(1);
  });

  it('by two cancels is cancelled twice', () => {
    expect(cancels(listen, cancel, cancel)).toHaveLength(2);
  });
});
