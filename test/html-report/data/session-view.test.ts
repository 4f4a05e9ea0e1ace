import { expect, it } from 'vitest';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import { sessionView } from '../../../src/html-report/data/session-view.ts';
import {
  call,
  cancel,
  cassette as cassetteOf,
  client,
  progress,
  request,
  result,
  server,
  stderr,
} from '../../support/conversation.ts';

const itemsOf = (...frames: Parameters<typeof cassetteOf>) => sessionView(cassetteOf(...frames)).items;

it('a call, its progress and its answer point at each other, and share their method, tool and id', () => {
  const items = itemsOf(client(call(7, 'add', { a: 1 }, 'p')), server(progress('p', 1)), server(result(7, '3')));
  expect(items.map(({ answer, request, method, name, rpcId }) => ({ answer, request, method, name, rpcId }))).toEqual([
    { answer: 2, request: undefined, method: 'tools/call', name: 'add', rpcId: '7' },
    { answer: undefined, request: 0, method: 'notifications/progress', name: 'add', rpcId: '7' },
    { answer: undefined, request: 0, method: 'tools/call', name: 'add', rpcId: '7' },
  ]);
});

it('calls that overlap have lanes of their own, by side, and one that was never answered keeps its lane', () => {
  const view = sessionView(
    cassetteOf(
      client(call(1, 'a')),
      client(call(2, 'b')),
      server(request(1, 'roots/list')),
      client(cancel(1)),
      client(call(3, 'c')),
    ),
  );
  expect(view.items.map(({ lane, fate }) => [lane, fate])).toEqual([
    [0, 'cancelled'],
    [1, 'pending'],
    [0, 'pending'],
    [undefined, undefined],
    [0, 'pending'],
  ]);
  expect(view.lanes).toEqual({ client: 2, server: 1, stream: 0 });
});

it('a call that HTTP refused ends where it was refused, and the refusal has its method and tool', () => {
  const [asked, refused] = itemsOf(
    { ...client(call(1, 'a')), stream: 1 },
    { kind: 'http-response', at: 5, from: 'server', stream: 1, status: 503 },
  );
  expect(asked).toMatchObject({ fate: 'error', took: 5, answer: 1 });
  expect(refused).toMatchObject({ request: 0, method: 'tools/call', name: 'a', rpcId: '1', failed: true });
});

it('a call that HTTP refused with an error of nobody ends there, too', () => {
  const error = server({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'busy' } });
  const [asked, refused] = itemsOf({ ...client(call(1, 'a')), stream: 1 }, {
    ...error,
    at: 5,
    stream: 1,
    status: 503,
  } as typeof error);
  expect(asked).toMatchObject({ fate: 'error', took: 5, answer: 1 });
  expect(refused).toMatchObject({ request: 0, name: 'a', failed: true });
});

it('an HTTP exchange has a lane from the first event that it carries to the last', () => {
  const on = (stream: number, frame: ReturnType<typeof client>) => ({ ...frame, stream });
  const { streams, lanes } = sessionView(
    cassetteOf(on(1, client(call(1, 'a'))), on(2, client(call(2, 'b'))), on(1, server(result(1, 'x')))),
  );
  expect(streams).toEqual([
    { stream: 1, lane: 0, first: 0, last: 2 },
    { stream: 2, lane: 1, first: 1, last: 1 },
  ]);
  expect(lanes.stream).toBe(2);
});

it('messages of a batch are events of one line, told apart in links', () => {
  const ids = itemsOf(client([call(1, 'a'), call(2, 'b')]), server(result(1, 'x'))).map(({ id }) => id);
  expect(ids).toEqual(['line-1', 'line-1.2', 'line-2']);
});

it('a message is kept to the letter, a long one in part', () => {
  const exact = '{"id":1,"result":{"n":1.0,"n2":1e400}}';
  const [message, long] = itemsOf(server(exact), stderr('x'.repeat(300_000)));
  expect(message?.content).toEqual({ text: exact, language: 'json' });
  expect(long?.content?.text.length).toBe(256 * 1024);
  expect(long?.content?.cutFrom).toBe(300_000);
});

it('what would turn the direction of writing is shown as an escape', () => {
  const [item] = itemsOf(client(call(1, 'a\u202eb')));
  expect(item?.what).toBe('tools/call "a\\u202eb"');
});

it('a recorded session says who took part, and how it was recorded', () => {
  const { client, server, facts, warnings } = sessionView(loadCassette('cassettes/everything.yaml'));
  expect([client, server]).toEqual(['demo-client 1.0.0', 'mcp-servers/everything 2.0.0']);
  expect(facts).toContain('stdio');
  expect(warnings).toEqual([]);
});

it('a recording without an end says that it was cut off', () => {
  const cassette = cassetteOf(client(call(1, 'a')));
  cassette.header.recorder = 'mcp-record 0.1.0';
  expect(sessionView(cassette).warnings).toEqual(['The recording was cut off: it has no end.']);
});

it('an exchange that was refused has failed', () => {
  const refused = (status: number | 'sse') =>
    itemsOf({ kind: 'http-response', at: 0, from: 'server', stream: 1, status })[0]?.failed;
  expect([refused(404), refused(202), refused('sse')]).toEqual([true, undefined, undefined]);
});

it('both sides say what they can, in the introduction or, from 2026-07-28, in every request', () => {
  expect(sessionView(loadCassette('cassettes/everything.yaml'))).toMatchObject({
    revision: '2025-11-25',
    capabilities: {
      client: ['roots (listChanged)', 'sampling', 'elicitation (form, url)'],
      server: expect.arrayContaining(['tools (listChanged)', 'resources (subscribe, listChanged)']),
    },
  });
  const meta = (name: string) => `io.modelcontextprotocol/${name}`;
  const _meta = {
    [meta('protocolVersion')]: '2026-07-28',
    [meta('clientInfo')]: { name: 'c', version: '1\u202e' },
    [meta('clientCapabilities')]: { sampling: {} },
  };
  const discovered = { capabilities: { tools: {} }, _meta: { [meta('serverInfo')]: { name: 's', version: '2' } } };
  const modern = cassetteOf(client(request(1, 'server/discover', { _meta })), server({ id: 1, result: discovered }));
  expect(sessionView(modern)).toMatchObject({
    client: 'c 1\\u202e',
    server: 's 2',
    revision: '2026-07-28',
    capabilities: { client: ['sampling'], server: ['tools'] },
  });
});

it('a request of the server came up in the call of its exchange, or in the only one in flight', () => {
  const within = (...frames: Parameters<typeof cassetteOf>) =>
    itemsOf(...frames).flatMap(({ kind, from, within: call }) =>
      kind === 'request' && from === 'server' ? [call] : [],
    );
  const on = (stream: number, frame: ReturnType<typeof client>) => ({ ...frame, stream });
  const two = [client(call(1, 'a')), client(call(2, 'b'))] as const;
  expect(within(two[0], server(request(1, 'ping')), server(result(1, 'x')), server(request(2, 'ping')))).toEqual([
    0,
    undefined,
  ]);
  expect(within(...two, server(request(1, 'ping')), server(result(1, 'x')), server(request(2, 'ping')))).toEqual([
    undefined,
    1,
  ]);
  expect(within(on(1, two[0]), on(2, two[1]), on(2, server(request(1, 'ping'))))).toEqual([1]);
  expect(within(on(1, two[0]), on(2, two[1]), on(3, server(request(1, 'ping'))))).toEqual([undefined]);
});
