import { expect, it } from 'vitest';
import { META } from '../../../../src/protocol/meta.ts';
import { appendLastCall } from '../../../../src/sweep/server/append-last-call.ts';
import { insertCalls } from '../../../../src/sweep/server/inputs/insert-calls.ts';
import { call, cassette, client, notification, request, server } from '../../../support/conversation.ts';

const answer = (id: number, result: object) => server({ jsonrpc: '2.0', id, result });
const CALLS = [
  { tool: 'a', args: { x: -0 } },
  { tool: 'a', args: undefined },
];
const textsOf = (...frames: Parameters<typeof cassette>) =>
  insertCalls(appendLastCall(cassette(...frames)), CALLS).cassette.events.map(({ frame }) =>
    frame.kind === 'message' ? frame.json.text : frame.kind,
  );
const FIRST =
  '{"jsonrpc":"2.0","id":"mcp-record:input-0","method":"tools/call","params":{"name":"a","arguments":{"x":-0}}}';
const SECOND = '{"jsonrpc":"2.0","id":"mcp-record:input-1","method":"tools/call","params":{"name":"a"}}';

it('calls come after the list of tools, and before the first recorded call', () => {
  const texts = textsOf(
    client(call(0, 'early')),
    answer(0, {}),
    client(request(1, 'tools/list')),
    answer(1, { tools: [] }),
    client(notification('other')),
    client(call(2, 'late')),
    answer(2, {}),
  );
  expect([texts.indexOf(FIRST), texts.indexOf(SECOND)]).toEqual([5, 7]);
  expect(texts[9]).toContain('"late"');
});

it('calls come before the last request where no call is recorded after the list', () => {
  const texts = textsOf(client(request(1, 'tools/list')), answer(1, { tools: [] }));
  expect([texts.indexOf(FIRST), texts.indexOf(SECOND), texts.length]).toEqual([2, 4, 8]);
});

it('calls say of 2026-07-28 who makes them, and over HTTP each has its own stream', () => {
  const _meta = { [META.protocolVersion]: '2026-07-28', progressToken: 1 };
  const played = cassette(
    { ...client(request(1, 'tools/list', { _meta })), stream: 4 },
    { ...answer(1, { tools: [] }), stream: 4 },
  );
  const { cassette: edited, at } = insertCalls(played, CALLS);
  const frames = edited.events.slice(at).map(({ frame }) => frame);
  expect(frames.map(({ stream }) => stream)).toEqual([5, 5, 6, 6]);
  const [first] = frames;
  const { params } = (first?.kind === 'message' ? first.json.value : {}) as { params?: object };
  expect(params).toEqual({ name: 'a', arguments: { x: -0 }, _meta: { [META.protocolVersion]: '2026-07-28' } });
});
