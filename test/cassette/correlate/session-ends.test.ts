import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { SessionEnds } from '../../../src/cassette/correlate/session-ends.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import {
  call,
  cancel,
  cassette,
  client,
  clientCloses,
  exits,
  request,
  result,
  server,
  signal,
} from '../../support/conversation.ts';

const asked = client(call(1, 'a'));
/** Whether the first frame is a request whose sender waits for ever. */
function waits(...frames: Frame[]): boolean {
  const entries = eventsToEntries(cassette(...frames).events);
  return new SessionEnds(entries).isNeverAnswered(entries[0]!, correlateEntries(entries));
}
const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });

describe('whoever makes a request waits for ever', () => {
  it.each<[string, Frame[]]>([
    ['without an answer', [asked]],
    ['where its own side closes, which ends no wait of a live client', [asked, clientCloses]],
    ['where its own side ends the process', [asked, signal('SIGTERM')]],
    ['where another id is answered', [asked, server(result(2, 'b'))]],
    ['where another stream ends', [on(1, asked), on(2, { kind: 'close', at: 0, from: 'server' })]],
    [
      'where its stream only begins',
      [on(1, asked), on(1, { kind: 'http-response', at: 0, from: 'server', status: 'sse' })],
    ],
  ])('%s', (_, frames) => {
    expect(waits(...frames)).toBe(true);
  });
});

describe('the wait is over', () => {
  it.each<[string, Frame[]]>([
    ['with the answer', [asked, server(result(1, 'a'))]],
    ['with a cancel', [asked, client(cancel(1))]],
    ['when the server has ended', [asked, exits(1)]],
    ['when its stream has', [on(1, asked), on(1, { kind: 'close', at: 0, from: 'server' })]],
    ['with a status', [on(1, asked), on(1, { kind: 'http-response', at: 0, from: 'server', status: 503 })]],
    ['before it begins, for a subscription', [client(request(1, 'subscriptions/listen'))]],
    ['before it begins, for what is no request', [clientCloses]],
  ])('%s', (_, frames) => {
    expect(waits(...frames)).toBe(false);
  });
});

it('tells which side ended the session, and where', () => {
  const entries = eventsToEntries(
    cassette(asked, clientCloses, on(1, { kind: 'open', at: 0, from: 'client', method: 'DELETE' })).events,
  );
  const ends = new SessionEnds(entries);
  expect([ends.hasEndedAfter(entries[0]!, 'client'), ends.hasEndedAfter(entries[0]!, 'server')]).toEqual([true, false]);
  expect(ends.hasEndedAfter(entries[1]!, 'client')).toBe(true);
  expect(ends.hasEndedAfter(entries[2]!, 'client')).toBe(false);
});

describe('the sender of a request ends the session first', () => {
  const isEndedBySender = (...frames: Frame[]) => {
    const entries = eventsToEntries(cassette(...frames).events);
    return new SessionEnds(entries).isEndedBySender(entries[0]!);
  };
  it.each<[what: string, frames: Frame[], expected: boolean]>([
    ['where it alone ends it', [asked, clientCloses], true],
    ['where it ends it before the other side does', [asked, clientCloses, exits(0)], true],
    ['not where the other side ends it before', [asked, exits(0), clientCloses], false],
    ['not where nobody does', [asked], false],
  ])('%s', (_, frames, expected) => {
    expect(isEndedBySender(...frames)).toBe(expected);
  });
});
