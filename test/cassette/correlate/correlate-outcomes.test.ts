import { expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { correlateOutcomes } from '../../../src/cassette/correlate/correlate-outcomes.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { callOn, cancel, cassette, client, leaves, result, server } from '../../support/conversation.ts';

const linksOf = (...frames: Frame[]) => correlateOutcomes(eventsToEntries(cassette(...frames).events));

it('the close of its stream cancels a call that is open, once', () => {
  const { cancelOf, cancelledRequestOf } = linksOf(callOn(1, 1, 'a'), callOn(2, 2, 'b'), leaves(2), leaves(2));
  expect([...cancelOf]).toEqual([[1, 2]]);
  expect([...cancelledRequestOf]).toEqual([[2, 1]]);
});

it('of a close and a notification the first is the cancel, and both name the call', () => {
  const notified = { ...client(cancel(1)), stream: 2 };
  for (const ends of [
    [leaves(1), notified],
    [notified, leaves(1)],
  ]) {
    const { cancelOf, cancelledRequestOf } = linksOf(callOn(1, 1, 'a'), ...ends);
    expect([...cancelOf]).toEqual([[0, 1]]);
    expect([...cancelledRequestOf]).toEqual([
      [1, 0],
      [2, 0],
    ]);
  }
});

it('a close is no cancel after an answer, also where a resumed stream brought it', () => {
  const first = { ...server({ jsonrpc: '2.0', method: 'notifications/x' }), stream: 1, sse: { id: 'one' } };
  const resumes: Frame = { kind: 'open', at: 0, from: 'client', method: 'GET', stream: 2, resumes: 'one' };
  const answer = server(result(1, 'done'));
  expect(linksOf(callOn(1, 1, 'a'), { ...answer, stream: 1 }, leaves(1)).cancelOf.size).toBe(0);
  const { answerOf, cancelOf } = linksOf(callOn(1, 1, 'a'), first, resumes, { ...answer, stream: 2 }, leaves(1));
  expect([...answerOf]).toEqual([[0, 3]]);
  expect(cancelOf.size).toBe(0);
});

it('those who play a session have no cancel by a close: a notification stands in its place', () => {
  const entries = eventsToEntries(cassette(callOn(1, 1, 'a'), leaves(1)).events);
  expect(correlateEntries(entries).cancelOf.size).toBe(0);
});
