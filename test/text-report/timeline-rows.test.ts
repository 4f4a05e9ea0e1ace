import { expect, it } from 'vitest';
import { LiveTimeline, type Row, requestsOf, timelineOf } from '../../src/text-report/timeline-rows.ts';
import {
  call,
  callOn,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  leaves,
  notification,
  progress,
  request,
  result,
  server,
  stderr,
} from '../support/conversation.ts';

const rowsOf = (...frames: Parameters<typeof cassette>) => timelineOf(cassette(...frames)).rows;
const pick = (rows: Row[], ...keys: (keyof Row)[]) => rows.map((row) => keys.map((key) => row[key]));

it('a request tells its fate, how long it took and which line answers it', () => {
  const rows = rowsOf(
    client(call(0, 'add'), 10),
    client(call('', 'add'), 20),
    server(result('', 'b'), 150),
    server(result(0, 'a'), 410),
  );
  expect(pick(rows, 'line', 'kind', 'fate', 'took', 'answer', 'request')).toEqual([
    [1, 'request', 'answered', 400, 4, undefined],
    [2, 'request', 'answered', 130, 3, undefined],
    [3, 'response', undefined, 130, undefined, 2],
    [4, 'response', undefined, 400, undefined, 1],
  ]);
});

it('the two directions have ids of their own', () => {
  const rows = rowsOf(
    client(call(0, 'ask')),
    server(request(0, 'roots/list')),
    client({ id: 0, result: { roots: [] } }),
    server(result(0, 'done')),
  );
  expect(pick(rows, 'from', 'answer', 'request')).toEqual([
    ['client', 4, undefined],
    ['server', 3, undefined],
    ['client', undefined, 2],
    ['server', undefined, 1],
  ]);
});

it('an error and a tool that failed are both errors', () => {
  const rows = rowsOf(
    client(call(1, 'a')),
    server({ id: 1, error: { code: -32602, message: 'Unknown tool' } }),
    client(call(2, 'b')),
    server({ id: 2, result: { isError: true, content: [{ type: 'text', text: 'no' }] } }),
  );
  expect(pick(rows, 'fate', 'failed', 'what', 'detail')).toEqual([
    ['error', undefined, 'tools/call "a"', undefined],
    [undefined, true, 'error -32602', 'Unknown tool'],
    ['error', undefined, 'tools/call "b"', undefined],
    [undefined, true, 'result with isError', 'no'],
  ]);
});

it('a cancelled call without an answer is cancelled, with one it is answered, and one left alone is pending', () => {
  const { rows, fates } = timelineOf(
    cassette(
      client(call(1, 'a')),
      client(cancel(1)),
      client(call(2, 'b')),
      client(cancel(2)),
      server(result(2, 'late')),
      client(call(3, 'c')),
    ),
  );
  expect(pick(rows, 'fate', 'request')).toEqual([
    ['cancelled', undefined],
    [undefined, 1],
    ['answered', undefined],
    [undefined, 3],
    [undefined, 3],
    ['pending', undefined],
  ]);
  expect(fates).toEqual({ answered: 1, error: 0, cancelled: 1, pending: 1 });
});

it('a call of 2026-07-28 whose stream its client closed before the answer is cancelled, and the close names it', () => {
  const { rows, fates } = timelineOf(
    cassette(
      callOn(1, 1, 'a'),
      callOn(2, 2, 'b'),
      { ...server(result(2, 'done')), stream: 2 },
      leaves(2),
      leaves(1),
      { ...client(call(3, 'older')), stream: 3 },
      leaves(3),
    ),
  );
  expect(pick(rows, 'what', 'fate', 'request')).toEqual([
    ['tools/call "a"', 'cancelled', undefined],
    ['tools/call "b"', 'answered', undefined],
    ['result', undefined, 2],
    ['closes its stream', undefined, undefined],
    ['closes its stream', undefined, 1],
    ['tools/call "older"', 'pending', undefined],
    ['closes its stream', undefined, undefined],
  ]);
  expect(fates).toEqual({ answered: 1, error: 0, cancelled: 1, pending: 1 });
});

it('a request that HTTP refused with a status is an error, and the status says which request that was', () => {
  const reply = { kind: 'http-response', from: 'server', stream: 4, status: 503 } as const;
  const { rows, fates } = timelineOf(
    cassette(
      { ...client(call(1, 'a'), 10), stream: 4 },
      { ...client(call(2, 'b'), 20), stream: 5 },
      { ...reply, at: 70 },
    ),
  );
  expect(pick(rows, 'fate', 'took', 'answer', 'request', 'failed')).toEqual([
    ['error', 60, 3, undefined, undefined],
    ['pending', undefined, undefined, undefined, undefined],
    [undefined, 60, undefined, 1, true],
  ]);
  expect(fates).toEqual({ answered: 0, error: 1, cancelled: 0, pending: 1 });
});

it('progress belongs to the request whose token it names', () => {
  const rows = rowsOf(
    client(call(5, 'long', undefined, 'token')),
    server(progress('token', 1)),
    server(progress('other', 1)),
  );
  expect(pick(rows, 'request', 'detail')).toEqual([
    [undefined, undefined],
    [1, '1'],
    [undefined, '1'],
  ]);
});

it('a batch has a row for each of its messages', () => {
  const rows = rowsOf(
    client(JSON.stringify([request(1, 'ping'), notification('initialized')])),
    server('[{"id":1,"result":{}}]', 30),
  );
  expect(pick(rows, 'line', 'what', 'fate', 'took')).toEqual([
    [1, 'ping', 'answered', 30],
    [1, 'initialized', undefined, undefined],
    [2, 'result', undefined, 30],
  ]);
});

it('what is no message has its row, too', () => {
  const { rows, lasted } = timelineOf(
    cassette(
      stderr('ready'),
      server('{"not":"rpc"}', 5),
      clientCloses,
      { kind: 'signal', at: 2000, from: 'client', signal: 'SIGTERM' },
      { ...exits('SIGTERM'), at: 2010 },
    ),
  );
  expect(pick(rows, 'from', 'kind', 'what', 'bytes')).toEqual([
    ['server', 'line', 'stderr', 5],
    ['server', 'line', 'not JSON-RPC', 13],
    ['client', 'close', 'closes its stream', undefined],
    ['client', 'signal', 'sends SIGTERM', undefined],
    ['server', 'exit', 'is ended by SIGTERM', undefined],
  ]);
  expect(lasted).toBe(2010);
});

it('an empty cassette has no rows', () => {
  expect(timelineOf(cassette())).toEqual({
    rows: [],
    fates: { answered: 0, error: 0, cancelled: 0, pending: 0 },
    lasted: 0,
  });
});

it('of a timeline, requests can be taken alone, each with what belongs to it', () => {
  const timeline = timelineOf(
    cassette(
      client(call(0, 'add', undefined, 'p')),
      client(call(1, 'add')),
      server(progress('p', 1)),
      client(cancel(1)),
      stderr('a log'),
      server(result(0, 'a')),
    ),
  );
  const { rows, fates } = requestsOf(timeline, ({ fate }) => fate === 'answered');
  expect(pick(rows, 'kind', 'line', 'request')).toEqual([
    ['request', 1, undefined],
    ['notification', 3, 1],
    ['response', 6, 1],
  ]);
  expect(fates).toEqual({ answered: 1, error: 0, cancelled: 0, pending: 0 });
});

it('of a session that goes on, an answer tells what it answers, and how long that took', () => {
  const { events } = cassette(
    client(call(0, 'add'), 10),
    server(request(0, 'roots/list'), 20),
    server(result(0, 'a'), 110),
    client({ id: 0, error: { code: 1, message: 'no' } }, 120),
    server(result(0, 'nobody asked'), 130),
  );
  const live = new LiveTimeline();
  const rows = [...live.add(events.slice(0, 2)), ...live.add(events.slice(2))];
  expect(pick(rows, 'line', 'kind', 'what', 'request', 'took', 'failed')).toEqual([
    [1, 'request', 'tools/call "add"', undefined, undefined, undefined],
    [2, 'request', 'roots/list', undefined, undefined, undefined],
    [3, 'response', 'result', 1, 100, undefined],
    [4, 'response', 'error 1', 2, 100, true],
    [5, 'response', 'result', undefined, undefined, undefined],
  ]);
});
