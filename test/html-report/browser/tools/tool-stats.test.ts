import { expect, it } from 'vitest';
import { offeredTools, tokens, toolStats, toolStatsOf } from '../../../../src/html-report/browser/tools/tool-stats.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import { timelineOf } from '../../../../src/html-report/data/timeline/timeline-of-sessions.ts';
import { call, cancel, cassette, client, request, result, server } from '../../../support/conversation.ts';

const itemsOf = (...frames: Parameters<typeof cassette>) => sessionView(cassette(...frames)).items;
const list = (...names: string[]) => [
  client(request('l', 'tools/list')),
  server({ id: 'l', result: { tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })) } }),
];

it('a tool has its times, failures and sizes, those that took most time first and those never used last', () => {
  const items = itemsOf(
    ...list('quick', 'slow', 'unused'),
    client(call(1, 'quick'), 0),
    server(result(1, 'x'), 5),
    ...[10, 20, 30].flatMap((at, place) => [
      client(call(`s${place}`, 'slow'), at * 10),
      server({ id: `s${place}`, result: { isError: place === 2, content: [] } }, at * 10 + at),
    ]),
    client(call(9, 'slow'), 900),
    client(call(10, 'odd'), 901),
  );
  const stats = toolStats(items);
  expect(stats.map(({ name, isOffered, calls }) => [name, isOffered, calls])).toEqual([
    ['slow', true, 4],
    ['quick', true, 1],
    ['odd', false, 1],
    ['unused', true, 0],
  ]);
  expect(stats[0]).toMatchObject({ p50: 20, p95: 30, slowest: 30, errors: 1, unanswered: 1 });
  expect(stats[1]).toMatchObject({
    sent: JSON.stringify(call(1, 'quick')).length,
    received: JSON.stringify(result(1, 'x')).length,
    definition: '{"name":"quick","inputSchema":{"type":"object"}}'.length,
  });
  expect(stats[2]!.p50).toBeUndefined();
});

it('without a list that the page can read, nobody knows what was offered', () => {
  expect(toolStats(itemsOf(client(call(1, 'a'))))[0]!.isOffered).toBeUndefined();
  expect(offeredTools(itemsOf(...list('x'.repeat(300_000))))).toBeUndefined();
});

it.each([{ tools: 7 }, { tools: [null, 'a', { name: 5 }, { name: '__proto__' }] }])(
  'a list may be anything: %j',
  (answer) => {
    const items = itemsOf(
      client(request(1, 'tools/list')),
      server({ id: 1, result: answer }),
      client(call(2, '__proto__')),
    );
    expect(toolStats(items).map(({ name }) => name)).toEqual(['__proto__']);
  },
);

it('four bytes are about one token', () => {
  expect(tokens(9)).toBe(3);
});

it('on a timeline, tools of one name belong to their servers', () => {
  const view = (name: string, calls: number) => ({
    ...sessionView(cassette(...list('now'), ...Array.from({ length: calls }, (_, id) => client(call(id, 'now'))))),
    start: { at: 0 },
    serverName: name,
  });
  const stats = toolStatsOf(timelineOf([view('weather', 2), view('calendar', 1)]));
  expect(stats.map(({ name, server: of, calls, isOffered }) => [name, of, calls, isOffered])).toEqual([
    ['now', 'weather', 2, true],
    ['now', 'calendar', 1, true],
  ]);
});

it('the times of a tool are those of its answered calls', () => {
  const items = itemsOf(
    client(call(1, 'a')),
    server(result(1, 'x'), 5),
    client(call(2, 'a'), 10),
    client(cancel(2), 710),
  );
  expect(toolStats(items)[0]).toMatchObject({ p50: 5, p95: 5, slowest: 5, unanswered: 1 });
});
