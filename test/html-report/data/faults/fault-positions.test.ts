import { expect, it } from 'vitest';
import { correlateEntries } from '../../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../../src/channel/frame.ts';
import { faultPositions } from '../../../../src/html-report/data/faults/fault-positions.ts';
import { call, cassette, client, notification, result, server } from '../../../support/conversation.ts';

const places = (frames: Parameters<typeof cassette>, ...journal: [fault: string, message: number][]) => {
  const entries = eventsToEntries(cassette(...frames).events);
  const firings = journal.map(([fault, message]) => ({
    fault,
    message,
    from: 'server' as const,
    method: 'tools/call',
  }));
  const found = faultPositions(firings, entries, correlateEntries(entries));
  return firings.map((firing) => found.get(firing));
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

const struckBy = (fault: string, message: number, id: number | string) => ({
  fault,
  message,
  id,
  from: 'server' as const,
  method: 'tools/call',
});
const placesOf = (frames: Parameters<typeof cassette>, ...firings: ReturnType<typeof struckBy>[]) => {
  const entries = eventsToEntries(cassette(...frames).events);
  const found = faultPositions(firings, entries, correlateEntries(entries));
  return firings.map((firing) => found.get(firing));
};
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const refused = (stream: number): Frame => ({
  kind: 'http-response',
  at: 0,
  from: 'server',
  stream,
  status: 503,
});

it('over HTTP a status in the place of an answer shows at its call, and what comes after at the call that it struck', () => {
  const session = [
    on(1, client(call(1, 'a'))),
    refused(1),
    on(2, client(call(2, 'b'))),
    on(2, server(result(2, 'y'))),
    on(3, client(call(3, 'c'))),
    on(3, server(result(3, 'z'))),
  ];
  const firings = [struckBy('http-status', 1, 1), struckBy('latency', 2, 2), struckBy('latency', 3, 3)];
  expect(placesOf(session, ...firings)).toEqual([0, 3, 5]);
});

it('over HTTP a fault shows at the call that it struck, in whatever order answers arrived', () => {
  const session = [
    on(1, client(call(1, 'a'))),
    on(2, client(call('1', 'b'))),
    on(3, client(call(3, 'c'))),
    on(2, server(result('1', 'y'))),
    on(3, server(result(3, 'z'))),
    on(1, server(result(1, 'x'))),
  ];
  expect(placesOf(session, struckBy('latency', 1, 1), struckBy('throttle', 2, '1'))).toEqual([5, 3]);
  expect(placesOf(session, struckBy('latency', 1, 1), struckBy('throttle', 1, 1))).toEqual([5, 5]);
});

it('an id that was used twice is found twice, in order', () => {
  const once = [client(call(1, 'a')), server(result(1, 'x'))];
  expect(placesOf([...once, ...once], struckBy('latency', 1, 1), struckBy('latency', 2, 1))).toEqual([1, 3]);
});

it('a call that was refused and said again with its id shows the fault where it was refused', () => {
  const session = [on(1, client(call(1, 'a'))), refused(1), on(2, client(call(1, 'a'))), on(2, server(result(1, 'x')))];
  expect(placesOf(session, struckBy('http-status', 1, 1))).toEqual([0]);
});

it('an id that was used before shows the fault at the later call, as the journal counts', () => {
  const session = [client(call(1, 'a')), server(result(1, 'x')), client(call(1, 'a')), server(result(1, 'x'))];
  expect(placesOf(session, struckBy('latency', 2, 1))).toEqual([3]);
});

it('what ended the session shows at the call that it left open', () => {
  expect(places([client(call(1, 'a')), server(result(1, 'x')), client(call(2, 'b'))], ['cut', 2])).toEqual([2]);
});

it('over HTTP two clients may use one id at once: the exchange tells their calls apart', () => {
  const session = [
    on(1, client(call(0, 'a'))),
    on(2, client(call(0, 'a'))),
    on(2, server(result(0, 'y'))),
    on(1, server(result(0, 'x'))),
  ];
  const struck = (message: number, stream: number) => ({ ...struckBy('latency', message, 0), stream });
  expect(placesOf(session, struck(1, 2), struck(2, 1))).toEqual([2, 3]);
  expect(placesOf(session, struck(1, 1))).toEqual([3]);
});

it('over HTTP what has no id is told by its exchange', () => {
  const log = (stream: number) => on(stream, server(notification('message')));
  const session = [on(1, client(call(1, 'a'))), on(2, client(call(2, 'b'))), log(2), log(1)];
  const firing = { fault: 'latency', from: 'server' as const, message: 1, method: 'notifications/message', stream: 1 };
  const entries = eventsToEntries(cassette(...session).events);
  expect(faultPositions([firing], entries, correlateEntries(entries)).get(firing)).toBe(3);
});
