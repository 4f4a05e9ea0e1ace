import { readdirSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CassetteEvent } from '../../../src/cassette/cassette.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import type { Item } from '../../../src/html-report/data/report-data-types.ts';
import { SessionItems } from '../../../src/html-report/data/session-items.ts';
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

const FILES = [
  ...readdirSync('cassettes').map((name) => `cassettes/${name}`),
  ...['streams', 'faulted'].map((name) => `test/browser/sessions/${name}.yaml`),
];

const whole = (events: CassetteEvent[]) => {
  const session = new SessionItems();
  session.add(events);
  return session.items;
};

/** What somebody has who was given items as they came, and copied of earlier ones what became of them. */
function grown(events: CassetteEvent[], cuts: readonly number[]): { items: Item[]; times: number } {
  const session = new SessionItems();
  let items: Item[] = [];
  let times = 0;
  const places = [...cuts.map((cut) => cut % (events.length + 1)), events.length].sort((a, b) => a - b);
  for (const [position, place] of places.entries()) {
    const { answered, isAnew } = session.add(events.slice(places[position - 1] ?? 0, place));
    if (isAnew) items = [];
    if (isAnew) times += 1;
    for (const index of answered) {
      const { fate, took, answer, cancel } = session.items[index]!;
      items[index] = { ...items[index]!, ...structuredClone({ fate, took, answer, cancel }) } as Item;
    }
    items.push(...structuredClone(session.items.slice(items.length)));
  }
  return { items, times };
}

const plain = (items: readonly Item[]) => JSON.parse(JSON.stringify(items));

describe.each(FILES)('%s', (file) => {
  const { events } = loadCassette(file);

  it('has the same items, whichever pieces its events come in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 20 }), (cuts) => {
        expect(plain(grown(events, cuts).items)).toEqual(plain(whole(events)));
      }),
      { numRuns: 20 },
    );
  });

  it('has the same items event by event', () => {
    const each = events.map((_, index) => index);
    expect(plain(grown(events, each).items)).toEqual(plain(whole(events)));
  });
});

const on = (stream: number, frame: Frame): Frame => ({ ...frame, stream });
const refusal: Frame = { kind: 'http-response', at: 3, from: 'server', stream: 1, status: 503 };

it('a request that HTTP refused and a message answers later is answered, and everything is made anew', () => {
  const { events } = cassette(
    on(1, client(call(1, 'slow', {}, 'p'))),
    refusal,
    on(2, server(request(9, 'roots/list'))),
    on(2, server(result(1, 'late'))),
  );
  const { items, times } = grown(events, [2, 3]);
  expect(plain(items)).toEqual(plain(whole(events)));
  expect(items[0]).toMatchObject({ fate: 'answered', answer: 3 });
  expect(times).toBe(1);
});

it('an answer, a cancel and progress that come later reach their request', () => {
  const { events } = cassette(
    client(call(1, 'a', {}, 'p')),
    client(call(2, 'b')),
    server(progress('p', 1)),
    client(cancel(2), 30),
    server(result(1, 'A'), 40),
  );
  const { items } = grown(events, [2, 3, 4]);
  expect(items[0]).toMatchObject({ fate: 'answered', took: 40, answer: 4 });
  expect(items[1]).toMatchObject({ fate: 'cancelled', took: 30, cancel: 3 });
  expect(items[2]).toMatchObject({ request: 0, name: 'a' });
});

it('a close that cancels its call reaches it, and takes its name', () => {
  const { events } = cassette(callOn(1, 1, 'a', 10), callOn(2, 2, 'b', 20), leaves(1, 50));
  const { items } = grown(events, [1, 2]);
  expect(plain(items)).toEqual(plain(whole(events)));
  expect(items).toMatchObject([
    { fate: 'cancelled', took: 40, cancel: 2 },
    { fate: 'pending' },
    { kind: 'close', request: 0, name: 'a' },
  ]);
});

it('whoever copies nothing of earlier items has calls that were never answered', () => {
  const { events } = cassette(client(call(1, 'a')), server(result(1, 'A')));
  const session = new SessionItems();
  session.add(events.slice(0, 1));
  const before = structuredClone(session.items);
  expect([...session.add(events.slice(1)).answered]).toEqual([0]);
  expect(plain([...before, ...session.items.slice(1)])).not.toEqual(plain(whole(events)));
});

it('a call takes until its cancellation, unless it is answered after it', () => {
  const asked = [client(call(1, 'a'), 10), client(cancel(1), 710)];
  expect(whole(cassette(...asked).events)[0]).toMatchObject({ fate: 'cancelled', took: 700 });
  const late = whole(cassette(...asked, server(result(1, 'A'), 910)).events);
  expect(late[0]).toMatchObject({ fate: 'answered', took: 900 });
});
