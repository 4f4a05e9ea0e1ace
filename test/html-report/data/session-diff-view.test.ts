import { describe, expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { diffSessions } from '../../../src/diff/diff-sessions.ts';
import { buildReport } from '../../../src/html-report/data/build-report-data.ts';
import type { View } from '../../../src/html-report/data/report-data-types.ts';
import { sessionDiffView } from '../../../src/html-report/data/session-diff-view.ts';
import { sessionView } from '../../../src/html-report/data/session-view.ts';
import type { Ignore } from '../../../src/match/ignore-rules.ts';
import type { Params } from '../../../src/protocol/message.ts';
import {
  call,
  callOn,
  cancel,
  cassette,
  client,
  leaves,
  progress,
  request,
  result,
  server,
} from '../../support/conversation.ts';

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

describe('with the differences of diff', () => {
  const compared = (before: Frame[], after: Frame[], ignore: readonly Ignore[] = []) =>
    buildReport([cassette(...before), cassette(...after)], {
      differencesBetween: (one, other) => diffSessions(one, other, ignore).entries,
      ignore,
    }).views[0]!;
  const ship = (id: number, args: Params, text: string) => [client(call(id, 'ship', args)), server(result(id, text))];
  const order = (id: number, text: string) => [client(call(id, 'order')), server(result(id, text))];
  const changesIn = ({ items }: View) =>
    items.flatMap(({ line, change }) => (change ? [[line, change.kind, change.differences]] : []));

  it('what a pattern leaves out is no difference of a row, and the real one is', () => {
    const before = [...order(1, 'at ab-1'), ...ship(2, { slot: 'ab-1' }, 'ok ab-1')];
    const after = [...order(1, 'at cd-2'), ...ship(2, { slot: 'cd-2', region: 'EU' }, 'ok cd-2')];
    const view = compared(before, after, [/\b\w\w-\d/]);
    expect(view.differences).toBe(1);
    expect(changesIn(view)).toEqual([[3, 'changed', [{ path: '/params/arguments/region', after: '"EU"' }]]]);
  });

  it('ids that the server made up are those of the first session', () => {
    const before = [...order(1, 'ord_8f3a61c0'), ...ship(2, { id: 'ord_8f3a61c0' }, 'ord_8f3a61c0: tea')];
    const after = [...order(1, 'ord_73d1f9e2'), ...ship(2, { id: 'ord_73d1f9e2' }, 'ord_73d1f9e2: milk')];
    expect(changesIn(compared(before, after))).toEqual([
      [4, 'changed', [{ path: '/result/text', before: '"ord_8f3a61c0: tea"', after: '"ord_8f3a61c0: milk"' }]],
    ]);
  });

  it('a call is beside the one that it is compared with', () => {
    const before = [...ship(1, { a: 1, b: 1 }, 'one'), ...ship(2, { a: 2, b: 2 }, 'two')];
    const after = [...ship(1, { a: 2, b: 3 }, 'two'), ...ship(2, { a: 1, b: 1 }, 'one')];
    expect(changesIn(compared(before, after)).map(([line, , differences]) => [line, differences])).toContainEqual([
      1,
      [{ path: '/params/arguments/b', before: '2', after: '3' }],
    ]);
  });

  it('a list of several pages has the differences of its pages', () => {
    const list = (names: readonly string[]) => [
      client(request(1, 'tools/list')),
      server({ id: 1, result: { tools: [{ name: names[0] }], nextCursor: 'c' } }),
      client(request(2, 'tools/list', { cursor: 'c' })),
      server({ id: 2, result: { tools: [{ name: names[1] }] } }),
    ];
    expect(changesIn(compared(list(['a', 'b']), list(['a', 'c'])))).toEqual([
      [4, 'changed', [{ path: '/result/tools/0/name', before: '"b"', after: '"c"' }]],
    ]);
  });

  describe('a call that ends otherwise', () => {
    const asked = { ...client(call(1, 'reserve', { seat: 1 }, 'p')), stream: 1 };
    const status = (code: number): Frame => ({ kind: 'http-response', at: 5, from: 'server', stream: 1, status: code });
    const ends: Record<string, Frame[]> = {
      answered: [server(result(1, 'ok'), 5)],
      failed: [server({ id: 1, error: { code: -32603, message: 'down' } }, 5)],
      cancelled: [client(cancel(1), 5)],
      late: [client(cancel(1), 5), server(result(1, 'ok'), 6)],
      pending: [],
      unavailable: [status(503)],
    };
    const requestIn = (before: string, after: string) => {
      const { items } = compared([asked, ...ends[before]!], [asked, ...ends[after]!]);
      return items.find(({ kind }) => kind === 'request')!;
    };

    it.each([
      ['answered', 'cancelled', 'answered → cancelled'],
      ['answered', 'pending', 'answered → never answered'],
      ['failed', 'cancelled', 'answered → cancelled'],
      ['cancelled', 'pending', 'cancelled → never answered'],
      ['cancelled', 'answered', 'cancelled → answered'],
      ['pending', 'answered', 'never answered → answered'],
      ['answered', 'late', 'answered → answered though cancelled'],
      ['unavailable', 'answered', 'refused with HTTP 503 → answered'],
      ['answered', 'unavailable', 'answered → refused with HTTP 503'],
    ])('%s, then %s: its row is marked, in the words of diff', (before, after, headline) => {
      expect(requestIn(before, after).change).toEqual({ kind: 'changed', differences: [], beforeLine: 1, headline });
    });

    it.each(Object.keys(ends))('%s in both: its row has no mark', (end) => {
      expect(requestIn(end, end).change).toBeUndefined();
    });

    it('cancelled by a close of its stream: its row is marked, and the close belongs to it', () => {
      const modern = callOn(1, 1, 'reserve');
      const answer = { ...server(result(1, 'ok'), 5), stream: 1 };
      const headline = 'answered → cancelled';
      expect(compared([modern, answer], [modern, leaves(1, 5)]).items).toMatchObject([
        { kind: 'request', change: { kind: 'changed', headline }, fate: 'cancelled' },
        { kind: 'close', request: 0, change: { kind: 'added' } },
        { kind: 'response', request: 0, change: { kind: 'removed' } },
      ]);
    });

    it('its row also has the values that are asked otherwise', () => {
      const other = client(call(1, 'reserve', { seat: 2 }, 'p'));
      const [row] = compared([asked, ...ends.answered!], [other, ...ends.cancelled!]).items;
      expect(row?.change).toMatchObject({
        headline: expect.stringContaining('answered → cancelled'),
        differences: [{ path: '/params/arguments/seat', before: '1', after: '2' }],
      });
    });

    it('a row is marked although only reports of progress differ', () => {
      const [row] = compared([asked, ...ends.answered!], [asked, server(progress('p', 1)), ...ends.answered!]).items;
      expect(row?.change?.headline).toBe('0 → 1 reports of progress');
    });

    it('what differs in the answers needs no words at the request', () => {
      const { items } = compared([asked, ...ends.answered!], [asked, server(result(1, 'full'))]);
      expect(items.map(({ change }) => change?.kind)).toEqual([undefined, 'changed']);
    });

    it('without diff, its row is marked without words', () => {
      const [row] = between([asked, ...ends.answered!], [asked, ...ends.cancelled!]);
      expect(row?.change).toEqual({ kind: 'changed', differences: [], beforeLine: 1 });
    });
  });
});
