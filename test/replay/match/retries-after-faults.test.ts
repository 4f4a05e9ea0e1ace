import { describe, expect, it } from 'vitest';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Fired } from '../../../src/faults/engine/fault-injector.ts';
import { FAULTS } from '../../../src/faults/fault-table.ts';
import { RecordedRequest } from '../../../src/replay/match/recorded-request.ts';
import { DELIVERING, RetriedRequests } from '../../../src/replay/match/retries-after-faults.ts';
import { call, cassette, client, notification, play, result, server } from '../../support/conversation.ts';

const twice = cassette(
  client(call(1, 'a')),
  server(result(1, 'first')),
  client(call(2, 'a')),
  server(result(2, 'second')),
);
const fired: Fired = { rule: 1, fault: 'drop', message: 1, from: 'server' };
const answerTo = (id: number): Fired => ({ ...fired, id, method: 'tools/call' });

describe('a call into whose exchange a fault was injected', () => {
  it('is answered as before when it is made again, and the next one as the next of the cassette', () => {
    const session = play(twice, { hasFaults: true });
    session.says(call(5, 'a'));
    session.player.faulted(answerTo(5));
    session.says(call(6, 'a'), call(7, 'a'));
    expect(session.hears()).toEqual([result(5, 'first'), result(6, 'first'), result(7, 'second')]);
    expect(session.findings).toEqual([]);
  });

  it.each(['latency', 'slice', 'duplicate'])(
    'is not made again by the next call if its answer came, with %s',
    (fault) => {
      const session = play(twice, { hasFaults: true });
      session.says(call(5, 'a'));
      session.player.faulted({ ...answerTo(5), fault });
      session.says(call(6, 'a'));
      expect(session.hears()).toEqual([result(5, 'first'), result(6, 'second')]);
      // No call is left in the cassette, so this one may be a retry.
      session.says(call(7, 'a'));
      expect(session.hears()).toContainEqual(result(7, 'first'));
      expect(session.findings).toEqual([]);
    },
  );

  it('is made again by a client that has cancelled it, although its answer came late', () => {
    const session = play(twice, { hasFaults: true });
    session.says(call(5, 'a'));
    session.player.faulted({ ...answerTo(5), fault: 'latency' });
    session.says(notification('cancelled', { requestId: 5 }), call(6, 'a'), call(7, 'a'));
    expect(session.hears()).toEqual([result(5, 'first'), result(6, 'first'), result(7, 'second')]);
  });

  it('has an answer in spite of faults that there are', () => {
    for (const name of DELIVERING) expect(name === 'order' || FAULTS.has(name), name).toBe(true);
  });

  it('is answered once more only', () => {
    const session = play(cassette(client(call(1, 'a')), server(result(1, 'A'))), { hasFaults: true });
    session.says(call(5, 'a'));
    session.player.faulted(answerTo(5));
    session.says(call(6, 'a'), call(7, 'a'));
    expect(session.findings.map(({ kind }) => kind)).toEqual(['miss']);
  });

  it('may have been met by the fault before it arrived', () => {
    const session = play(cassette(client(call(1, 'a')), server(result(1, 'A'))), { hasFaults: true });
    session.player.faulted({ ...answerTo(5), from: 'client' });
    session.says(call(5, 'a'), call(5, 'a'));
    expect(session.findings).toEqual([]);
  });

  it.each([
    ['is about another call', answerTo(9)],
    ['is about a request of the server with the same id', { ...answerTo(5), method: 'roots/list' }],
    ['only observes the call', { ...answerTo(5), fault: 'observe' }],
    ['is about no exchange', { ...fired, method: 'notifications/message' }],
  ])('is a miss when it is made again where the fault %s', (_, other) => {
    const session = play(cassette(client(call(1, 'a')), server(result(1, 'A'))), { hasFaults: true });
    session.says(call(5, 'a'));
    session.player.faulted(other);
    session.says(call(6, 'a'));
    expect(session.findings.map(({ kind }) => kind)).toEqual(['miss']);
  });

  it('is forgotten after ten thousand others', () => {
    const [entry] = eventsToEntries(cassette(client(call(1, 'a'))).events);
    const request = new RecordedRequest({
      entry: entry as ConstructorParameters<typeof RecordedRequest>[0]['entry'],
      method: 'tools/call',
      repeat: 'once',
      ignored: [],
      barrier: undefined,
    });
    const retries = new RetriedRequests();
    for (let id = 0; id <= 10_000; id++) retries.addMatch(String(id), request);
    retries.addFault(answerTo(0));
    expect(retries.take(() => true)).toBeUndefined();
    retries.addFault(answerTo(1));
    expect(retries.take(() => true)).toBe(request);
  });
});

it('every answer repeats where the session asks for that, but for those whose event says otherwise', () => {
  const session = play(cassette(client(call(1, 'a')), server(result(1, 'A'))), { repeat: 'last' });
  session.says(call(5, 'a'), call(6, 'a'), call(7, 'a'));
  expect(session.hears()).toEqual([result(5, 'A'), result(6, 'A'), result(7, 'A')]);
  expect(session.findings).toEqual([]);
});
