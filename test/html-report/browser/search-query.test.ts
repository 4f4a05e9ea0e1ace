import { expect, it } from 'vitest';
import { matches, readQuery, troublesOf } from '../../../src/html-report/browser/search-query.ts';
import { sessionView } from '../../../src/html-report/data/session-view.ts';
import { call, cassette, client, request, result, server, stderr } from '../../support/conversation.ts';

const { items } = sessionView(
  cassette(
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
  ['is:pending', []],
  ['stream:1', []],
  ['"two', []],
  ['http://x', []],
])('%s finds events %j', (text, expected) => {
  expect(found(text)).toEqual(expected);
});

it('an item is found by each thing that is wrong with it, and by the stream it came on', () => {
  const [item] = items;
  const troubled = {
    ...item!,
    stream: 3,
    fate: 'pending' as const,
    failed: true,
    change: 'added' as const,
    marks: [
      { kind: 'fault', title: 'cut' },
      { kind: 'error', title: 'lint' },
    ],
  } as unknown as Parameters<typeof troublesOf>[0];
  expect(troublesOf(troubled)).toEqual(['error', 'pending', 'fault', 'lint', 'changed']);
  for (const text of ['is:pending', 'is:fault', 'is:lint', 'is:changed', 'stream:3'])
    expect(matches(troubled, readQuery(text)), text).toBe(true);
  expect(matches(item!, readQuery('stream:3'))).toBe(false);
});
