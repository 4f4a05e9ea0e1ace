import { expect, it } from 'vitest';
import { sessionDiffView } from '../../../src/html-report/data/session-diff-view.ts';
import { sessionView } from '../../../src/html-report/data/session-view.ts';
import { call, cassette, client, result, server } from '../../support/conversation.ts';

const between = (before: Parameters<typeof cassette>, after: Parameters<typeof cassette>) =>
  sessionDiffView(sessionView(cassette(...before)), sessionView(cassette(...after))).items;
const said = (id: number, name: string, text: string) => [client(call(id, name)), server(result(id, text))];

it('ids, tokens and lines make no difference', () => {
  const before = [client(call(1, 'add', { a: 1 }, 'p')), server(result(1, '1'))];
  const after = [client(call('x', 'add', { a: 1 }, 9)), server(result('x', '1'))];
  expect(between(before, after).map(({ change }) => change)).toEqual([undefined, undefined]);
});

it('an answer that differs names each place, and keeps what it was', () => {
  const [, answer] = between(said(1, 'add', '3'), said(1, 'add', '4'));
  expect(answer?.change).toEqual({
    kind: 'changed',
    differences: [{ path: '/result/text', before: '"3"', after: '"4"' }],
    beforeLine: 2,
    before: { text: '{"jsonrpc":"2.0","id":1,"result":{"text":"3"}}', language: 'json' },
  });
});

it('a number that is written otherwise and equal is none', () => {
  const [one] = between(
    [client('{"id":1,"method":"a","params":{"n":1.0}}')],
    [client('{"id":1,"method":"a","params":{"n":1}}')],
  );
  expect(one?.change).toBeUndefined();
});

it('a call more or less is told with its answer, and links lead to where they stand now', () => {
  const items = between([...said(1, 'a', '1'), ...said(2, 'b', '2')], [...said(1, 'c', '3'), ...said(2, 'b', '2')]);
  expect(items.map(({ id, name, change, answer, request }) => [id, name, change?.kind, answer ?? request])).toEqual([
    ['line-1', 'c', 'added', 1],
    ['line-2', 'c', 'added', 0],
    ['before-line-1', 'a', 'removed', 3],
    ['before-line-2', 'a', 'removed', 2],
    ['line-3', 'b', undefined, 5],
    ['line-4', 'b', undefined, 4],
  ]);
});
