import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../src/cassette/read/parse-cassette.ts';
import { endText, eventText, headerText } from '../../src/cassette/write/format-event.ts';
import type { Frame } from '../../src/channel/frame.ts';
import { JsonText } from '../../src/protocol/json-text.ts';

const json = (value: unknown) => new JsonText(JSON.stringify(value));
const client = { at: 0, from: 'client' } as const;
const server = { at: 0, from: 'server' } as const;

/** Everything that only HTTP can carry. */
const frames: readonly Frame[] = [
  { ...client, stream: 1, kind: 'message', json: json({ jsonrpc: '2.0', id: 0, method: 'initialize' }) },
  {
    ...server,
    stream: 1,
    session: 'new',
    kind: 'message',
    json: json({ jsonrpc: '2.0', id: 0, result: {} }),
  },
  { ...client, stream: 2, kind: 'open', method: 'GET' },
  { ...server, stream: 2, kind: 'http-response', status: 'sse', headers: { 'x-accel-buffering': 'no' } },
  { ...server, stream: 2, kind: 'sse', sse: { id: '4_0', retry: 300 } },
  { ...server, stream: 2, kind: 'comment', text: ' keepalive' },
  {
    ...server,
    stream: 2,
    sse: {},
    kind: 'message',
    json: json({ jsonrpc: '2.0', method: 'notifications/x' }),
  },
  {
    ...server,
    stream: 2,
    sse: { id: '4_1', event: 'odd' },
    kind: 'line',
    on: 'protocol',
    data: 'not: json',
  },
  { ...server, stream: 2, kind: 'close' },
  {
    ...client,
    stream: 3,
    kind: 'open',
    method: 'GET',
    resumes: '4_1',
    path: '/other?x',
    headers: { 'x-a': '1' },
  },
  { ...client, stream: 3, kind: 'close', how: 'rst' },
  { ...client, stream: 4, headers: { accept: 'text/html' }, kind: 'line', on: 'protocol', data: 'not json' },
  {
    ...server,
    stream: 4,
    status: 400,
    kind: 'message',
    json: json({ jsonrpc: '2.0', id: null, error: { code: -32700, message: 'bad' } }),
  },
  {
    ...server,
    stream: 5,
    kind: 'http-response',
    status: 404,
    headers: { 'content-type': 'text/plain' },
    body: 'Session\nnot found',
  },
  { ...server, stream: 6, kind: 'http-response', status: 502, body: new Uint8Array([0xff, 0x00]) },
  {
    ...client,
    kind: 'authorization',
    json: json({ request: 'oauth/token', url: 'https://a.example/token', parameters: { code: '[redacted:code:1]' } }),
  },
];

const recorded = (events: string) =>
  `${headerText({ format: 'mcp-record/1', recorder: 'x', transport: 'http', url: 'https://example.com/mcp' })}${events}`;

describe('a cassette of HTTP', () => {
  it('gives back every frame that only HTTP can carry', () => {
    const text = recorded(frames.map((frame) => eventText(frame)).join('') + endText('complete'));
    const cassette = parseCassette(text, 'http.yaml');
    expect(cassette.header).toMatchObject({ transport: 'http', url: 'https://example.com/mcp' });
    expect(cassette.warnings).toEqual([]);
    expect(cassette.events.map(({ frame }) => plain(frame))).toEqual(frames.map(plain));
  });

  it('reads like the exchange it was', () => {
    expect(eventText(frames[3]!)).toBe(
      'response: sse\n  stream: 2\n  headers:\n    x-accel-buffering: no\n- '.replace(' no\n', ' "no"\n'),
    );
    expect(eventText(frames[13]!)).toBe(
      'response: 404\n  stream: 5\n  headers:\n    content-type: text/plain\n  body: |-\n    Session\n    not found\n- ',
    );
    expect(eventText(frames[10]!)).toBe('close: client\n  stream: 3\n  how: rst\n- ');
  });

  it.each([
    ['client: {}\n  how: rst', '"how" cannot stand beside "client"'],
    ['open: GET\n  stream: one', '"stream" is "one", not the whole number of an exchange'],
    ['close: server\n  how: gone', '"how" is "gone", not end or fin or rst'],
    ['open: GET\n  headers:\n    a: 1', 'not a mapping of text'],
    ['sse:\n    name: x', 'not the fields of an event'],
    ['authorization: {}', '"authorization": "request" is missing'],
    ['authorization: { request: mcp, url: /mcp }', '"authorization.url": "url" is "/mcp"'],
    ['authorization: { request: mcp, url: http://a/ }\n  headers: {}', '"headers" cannot stand beside "authorization"'],
    ['response: yes', '"response" is "yes", not an HTTP status from 100 to 999, or sse'],
  ])('refuses %j with the reason', (event, reason) => {
    expect(() => parseCassette(recorded(`${event}\n- end: complete\n`), 'http.yaml')).toThrow(reason);
  });
});

function plain(frame: Frame): unknown {
  return frame.kind === 'message' || frame.kind === 'authorization' ? { ...frame, json: frame.json.text } : frame;
}
