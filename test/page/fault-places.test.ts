import { expect, it } from 'vitest';
import { correlateMoves } from '../../src/cassette/correlate.ts';
import { movesOf } from '../../src/cassette/moves.ts';
import { faultPlaces } from '../../src/page/fault-places.ts';
import { call, client, notification, result, server, tape } from '../support/conversation.ts';

const places = (frames: Parameters<typeof tape>, ...journal: [fault: string, message: number][]) => {
  const moves = movesOf(tape(...frames).events);
  const entries = journal.map(([fault, message]) => ({
    fault,
    message,
    from: 'server' as const,
    method: 'tools/call',
  }));
  const found = faultPlaces(entries, moves, correlateMoves(moves));
  return entries.map((entry) => found.get(entry));
};

it('a message that arrived bears its fault', () => {
  expect(
    places([client(call(1, 'a')), server(notification('message')), server(result(1, 'x'))], ['latency', 2]),
  ).toEqual([2]);
});

it('an answer that never arrived shows at its call, and those after it are counted without it', () => {
  const session = [
    client(call(1, 'a')),
    server(result(1, 'x')),
    client(call(2, 'b')),
    client(call(3, 'c')),
    server(result(3, 'z')),
  ];
  expect(places(session, ['drop', 2], ['latency', 3])).toEqual([2, 4]);
});

it('an answer that came twice is counted as two', () => {
  const session = [
    client(call(1, 'a')),
    server(result(1, 'x')),
    server(result(1, 'x')),
    client(call(2, 'b')),
    server(result(2, 'y')),
  ];
  expect(places(session, ['duplicate', 1], ['latency', 2])).toEqual([1, 4]);
});

it('what ended the session shows at the call that it left open', () => {
  expect(places([client(call(1, 'a')), server(result(1, 'x')), client(call(2, 'b'))], ['cut', 2])).toEqual([
    2,
  ]);
});
