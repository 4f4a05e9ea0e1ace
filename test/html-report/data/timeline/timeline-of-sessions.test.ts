import { expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { sessionView } from '../../../../src/html-report/data/session-view.ts';
import { timelineOf } from '../../../../src/html-report/data/timeline/timeline-of-sessions.ts';
import { call, cassette, client, progress, request, result, server } from '../../../support/conversation.ts';

const START = '2026-11-29T12:00:00.000Z';

/** A session of a server of this name, whose recording began at `recorded`. */
function session(file: string, recorded: string | undefined, ...frames: Parameters<typeof cassette>): Cassette {
  const made = cassette(...frames);
  return { ...made, file, end: 'complete', header: { ...made.header, ...(recorded !== undefined && { recorded }) } };
}

const opening = (name: string, clientName = 'app', at = 0) => [
  client(request(0, 'initialize', { clientInfo: { name: clientName } }), at),
  server(
    {
      jsonrpc: '2.0',
      id: 0,
      result: { protocolVersion: '2025-11-25', serverInfo: { name, version: '1.0.0' }, capabilities: {} },
    },
    at + 1,
  ),
];
const timeline = (...cassettes: Cassette[]) => timelineOf(cassettes.map((one) => sessionView(one)));

it('items of two sessions are sorted by the time of their clocks, and those of one session keep their order', () => {
  const a = session('a.yaml', '2026-11-29T12:00:00.100Z', client(call(1, 'a')), server(result(1, 'x'), 50));
  const b = session('b.yaml', START, client(call(1, 'b')), server(progress('p', 1), 120), server(result(1, 'y'), 150));
  const { items, lasted } = timeline(a, b);
  expect(items.map(({ id, at }) => [id, at])).toEqual([
    ['s2-line-1', 0],
    ['s1-line-1', 100],
    ['s2-line-2', 120],
    ['s1-line-2', 150],
    ['s2-line-3', 150],
  ]);
  expect(lasted).toBe(150);
});

it('links lead to the items of the own session, and each item says where it is from', () => {
  const a = session('a.yaml', START, ...opening('a'), client(call(1, 'a'), 10), server(result(1, 'x'), 30));
  const b = session(
    'b.yaml',
    START,
    client(call(1, 'b'), 20),
    server(request(9, 'roots/list'), 21),
    client(result(9, ''), 22),
  );
  const { items } = timeline(a, b);
  const shown = items.map(({ origin, answer, request: asked, within }) => [origin?.server, answer, asked, within]);
  expect(shown).toEqual([
    ['a', 1, undefined, undefined],
    ['a', undefined, 0, undefined],
    ['a', 6, undefined, undefined],
    ['b.yaml', undefined, undefined, undefined],
    ['b.yaml', 5, undefined, 3],
    ['b.yaml', undefined, 4, undefined],
    ['a', undefined, 2, undefined],
  ]);
  expect(items[6]!.origin).toEqual({ server: 'a', session: 0, position: 3 });
});

it('calls of both sessions that overlap have lanes of their own', () => {
  const a = session('a.yaml', START, client(call(1, 'a')), server(result(1, 'x'), 50));
  const b = session('b.yaml', START, client(call(1, 'b'), 10), server(result(1, 'y'), 20));
  const { lanes, items } = timeline(a, b);
  expect([lanes.client, items.map(({ lane }) => lane)]).toEqual([2, [0, 1, undefined, undefined]]);
});

it('HTTP exchanges of two sessions with one number are two', () => {
  const exchange = (name: string, at: number) => [
    { ...client(call(1, name), at), stream: 1 },
    { ...server(result(1, 'x'), at + 50), stream: 1 },
  ];
  const { streams } = timeline(
    session('a.yaml', START, ...exchange('a', 0)),
    session('b.yaml', START, ...exchange('b', 10)),
  );
  expect(streams).toEqual([
    { stream: 1, session: 0, lane: 0, first: 0, last: 2 },
    { stream: 1, session: 1, lane: 1, first: 1, last: 3 },
  ]);
});

it('the head names the client once, and each server with its file; servers of one name are told apart', () => {
  const {
    facts,
    client: who,
    sessions,
    revision,
  } = timeline(
    session('a.yaml', START, ...opening('weather')),
    session('b.yaml', START, ...opening('weather')),
    session('c.yaml', START, ...opening('time')),
  );
  expect(facts).toEqual(['weather (a.yaml)', 'weather (b.yaml)', 'time: c.yaml']);
  expect([who, revision]).toEqual(['app', '2025-11-25']);
  expect(sessions?.map(({ label }) => label)).toEqual(['weather (a.yaml)', 'weather (b.yaml)', 'time']);
});

it('says what is wrong with its times, and leaves out a session that has no start', () => {
  const { warnings, items, sessions } = timeline(
    session('a.yaml', '2026-11-29T12:00:00Z', ...opening('a')),
    session('b.yaml', undefined, ...opening('b')),
    session('c.yaml', START, client(call(1, 'c')), server(result(1, 'x'))),
    session('d.yaml', '2026-02-31T00:00:00Z', ...opening('d', 'other')),
  );
  expect(warnings).toEqual([
    'The sessions have different clients: app and other.',
    'a: the cassette has its start to the second only, so its calls may be shown up to a second early.',
    'b is left out: its cassette does not say when it began.',
    'c.yaml: the cassette has no pauses, so all of its calls have the time of its start.',
    'd: the cassette has its start to the second only, so its calls may be shown up to a second early.',
  ]);
  expect(sessions?.map(({ label }) => label)).toEqual(['a', 'c.yaml', 'd']);
  expect(items.some(({ origin }) => origin?.server === 'b')).toBe(false);
});

it('warnings of a session name its server', () => {
  const cut: Cassette = { ...session('a.yaml', START, ...opening('a')), warnings: ['Line 9 was skipped.'] };
  expect(timeline(cut, session('b.yaml', START, ...opening('b'))).warnings).toEqual(['a: Line 9 was skipped.']);
});

it('no session with a start gives an empty timeline', () => {
  expect(timeline(session('a.yaml', undefined), session('b.yaml', undefined))).toMatchObject({ items: [], lasted: 0 });
});
