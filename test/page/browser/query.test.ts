import { expect, it } from 'vitest';
import { matches, readQuery } from '../../../src/page/browser/query.ts';
import { sessionView } from '../../../src/page/session-view.ts';
import { call, client, request, result, server, stderr, tape } from '../../support/conversation.ts';

const { items } = sessionView(
  tape(
    client(call(7, 'echo', { text: 'Hello there' })),
    server({ id: 7, error: { code: -1, message: 'not found' } }),
    server(request('7', 'roots/list')),
    client(result('7', 'fine')),
    stderr('hello'),
  ),
);
const found = (text: string) =>
  [...items.entries()].flatMap(([index, item]) => (matches(item, readQuery(text)) ? index : []));

it.each([
  ['', [0, 1, 2, 3, 4]],
  ['HELLO', [0, 4]],
  ['"not found"', [1]],
  ['hello there', [0]],
  ['method:tools', [0, 1]],
  ['tool:echo not', [1]],
  ['id:7 from:client', [0, 3]],
  ['is:error', [0, 1]],
  ['line:5', [4]],
  ['tool:', [0, 1, 2, 3, 4]],
  ['is:nonsense', []],
  ['http://x', []],
])('%s finds events %j', (text, expected) => {
  expect(found(text)).toEqual(expected);
});
