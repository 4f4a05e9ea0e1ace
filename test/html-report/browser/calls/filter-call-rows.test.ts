import { expect, it } from 'vitest';
import {
  axisTicks,
  callRows,
  changeOfCall,
  countOfRows,
  endOf,
  progressOf,
} from '../../../../src/html-report/browser/calls/filter-call-rows.ts';
import { readQuery } from '../../../../src/html-report/browser/search-query.ts';
import type { Change } from '../../../../src/html-report/data/report-data-types.ts';
import { sessionDiffView } from '../../../../src/html-report/data/session-diff-view.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import {
  call,
  cancel,
  cassette,
  client,
  progress,
  request,
  result,
  server,
  stderr,
} from '../../../support/conversation.ts';

const view = sessionView(
  cassette(
    client(call(1, 'slow', {}, 'p'), 0),
    server(request(9, 'roots/list'), 10),
    client(call(2, 'fast'), 20),
    server(progress('p', 1), 30),
    client(result(9, 'roots'), 40),
    server(result(2, 'quick'), 50),
    stderr('noise'),
    server(result(1, 'at last'), 100),
    client(call(3, 'left'), 200),
    client(cancel(3), 300),
    client(call(4, 'lost'), 400),
  ),
);
const rows = (query: string, span?: { from: number; to: number }) => callRows(view, { query: readQuery(query), span });

it('each call is a row, with the requests of the server that came up in it below', () => {
  expect(rows('')).toEqual([0, 1, 2, 8, 10]);
});

it('a call is found by all that belongs to it', () => {
  expect(rows('"at last"')).toEqual([0]);
  expect(rows('progress')).toEqual([0]);
  expect(rows('roots')).toEqual([1]);
  expect(rows('noise')).toEqual([]);
});

it('a part of the time has the calls that were in flight in it', () => {
  expect(rows('', { from: 60, to: 90 })).toEqual([0]);
  expect(rows('', { from: 250, to: 260 })).toEqual([8]);
  expect(rows('', { from: 450, to: 460 })).toEqual([10]);
});

it('a call ends with its answer or its cancel, or never', () => {
  expect([0, 8, 10].map((index) => endOf(view.items[index]!, view.items))).toEqual([
    100,
    300,
    Number.POSITIVE_INFINITY,
  ]);
  expect([...progressOf(view.items)]).toEqual([[0, [3]]]);
});

it('of two sessions, what differs comes first, also where it belongs to no call', () => {
  const said = (text: string, log: string) => [
    client(call(1, 'a')),
    server(result(1, 'same')),
    client(call(2, 'b')),
    server(result(2, text)),
    server({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: log } }),
  ];
  const between = sessionDiffView(sessionView(cassette(...said('x', 'm'))), sessionView(cassette(...said('y', 'n'))));
  const found = callRows(between, { query: readQuery('') });
  expect(found).toEqual([2, 4, 0]);
  expect(countOfRows(between.items, found)).toBe('2 of 2 calls and 1 other event');
  expect(countOfRows(between.items, [2])).toBe('1 of 2 calls');
});

it('an axis has round times within it', () => {
  expect(axisTicks({ from: 0, to: 2_040 }, 5)).toEqual([0, 500, 1_000, 1_500, 2_000]);
  expect(axisTicks({ from: 130, to: 171 }, 4)).toEqual([140, 160]);
  expect(axisTicks({ from: 3, to: 3 }, 4)).toEqual([3]);
});

it('of two sessions, more reports of progress or another answer alone make no call differ', () => {
  const asked = [client(call(1, 'a')), server(result(1, 'same')), client(call(2, 'b', {}, 'p'))];
  const [before, after] = [[], [server(progress('p', 1))]].map((reports) =>
    sessionView(cassette(...asked, ...reports, server(result(2, 'same')))),
  );
  const between = sessionDiffView(before!, after!);
  expect(callRows(between, { query: readQuery('') })).toEqual([0, 2]);
});

it('a call shows the difference of its request, or else of an answer that both sessions have', () => {
  const [request, answer] = view.items as [(typeof view.items)[0], (typeof view.items)[0]];
  const changed: Change = { kind: 'changed', differences: [] };
  const added: Change = { kind: 'added', differences: [] };
  expect(changeOfCall({ ...request, change: added }, { ...answer, change: changed })).toBe(added);
  expect(changeOfCall(request, { ...answer, change: changed })).toBe(changed);
  expect(changeOfCall(request, { ...answer, change: added })).toBeUndefined();
});
