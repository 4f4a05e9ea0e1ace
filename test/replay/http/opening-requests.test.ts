import { expect, it } from 'vitest';
import { openingOf } from '../../../src/replay/http/opening-requests.ts';
import { call, client, notification, request, result, server } from '../../support/conversation.ts';
import { named } from '../performed.ts';

const _meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modernCall = (id: number, name: string) => request(id, 'tools/call', { name, arguments: {}, _meta });

const openingIn = (...frames: Parameters<typeof client>[0][]) => {
  const { begins, once } = openingOf(named('one.yaml', ...(frames as never[])).plan);
  return { begins: [...begins], once };
};

it('a client begins with all requests before the answer to its first call', () => {
  const frames = [
    client(request(1, 'tools/list')),
    server(result(1, 'tools')),
    client(call(2, 'a')),
    client(call(3, 'b')),
    server(result(2, 'A')),
    client(call(4, 'c')),
  ];
  expect(openingIn(...frames)).toEqual({ begins: [0, 2, 3], once: [2, 3, 5] });
});

it('a subscription is no call, and neither is a notification', () => {
  const listens = request(1, 'subscriptions/listen', { notifications: {} });
  const frames = [client(listens), client(notification('a')), client(call(2, 'a')), client(call(3, 'b'))];
  expect(openingIn(...frames).begins).toEqual([0, 2]);
});

it('a call that is rejected for its metadata is rejected each time, so it is not the first call', () => {
  const refused = { jsonrpc: '2.0', id: 1, error: { code: -32021, message: 'no' } };
  const frames = [
    client(modernCall(1, 'a')),
    server(refused),
    client(modernCall(2, 'b')),
    server(result(2, 'B')),
    client(modernCall(3, 'c')),
  ];
  expect(openingIn(...frames)).toEqual({ begins: [0, 2], once: [2, 4] });
});

it('without a call, every request begins a session', () => {
  const frames = [client(request(1, 'tools/list')), server(result(1, 'tools')), client(request(2, 'prompts/list'))];
  expect(openingIn(...frames)).toEqual({ begins: [0, 2], once: [] });
});
