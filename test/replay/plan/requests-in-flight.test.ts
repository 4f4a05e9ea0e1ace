import { describe, expect, it } from 'vitest';
import { correlateEntries } from '../../../src/cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import type { Frame } from '../../../src/channel/frame.ts';
import { RequestsInFlight } from '../../../src/replay/plan/requests-in-flight.ts';
import { call, cassette, client, notification, request, server } from '../../support/conversation.ts';
import { workOf } from '../../support/work.ts';

/** What is in flight after all that the client did in these frames. */
function flightAfter(...frames: Frame[]): RequestsInFlight {
  const entries = eventsToEntries(cassette(...frames).events);
  const flight = new RequestsInFlight(entries, correlateEntries(entries));
  for (const entry of entries) if (entry.from === 'client') flight.addClientEntry(entry);
  return flight;
}

const threeCalls = [client(call(0, 'a')), client(call(1, 'b')), client(call(2, 'c'))];

describe('what is in flight', () => {
  it('is the latest call, until it has ended; then the one before', () => {
    const flight = flightAfter(...threeCalls);
    expect(flight.ambientCause()).toMatchObject({ entry: 2, guess: true });
    flight.endRequest(2);
    flight.endRequest(0);
    expect(flight.ambientCause()).toMatchObject({ entry: 1, guess: false });
    flight.endRequest(1);
    expect(flight.ambientCause()).toMatchObject({ entry: 2, guess: false });
  });

  it('is nothing before the client spoke', () => {
    expect(flightAfter().ambientCause()).toMatchObject({ entry: undefined, ambient: true, guess: false });
    expect(flightAfter().causeOfServerRequest(0)).toBeUndefined();
  });

  it('knows a listen by its id and type, and what was done since', () => {
    const listen = request(0, 'subscriptions/listen', { notifications: {} });
    const flight = flightAfter(client(listen), client(notification('x')));
    expect([flight.listenRequest('0'), flight.listenRequest('"0"')]).toEqual([0, undefined]);
    expect([flight.latestEntryAfter(0), flight.latestEntryAfter(1)]).toEqual([1, undefined]);
  });

  it('knows the open tasks/result for a task', () => {
    const wait = (id: number, taskId: string) => client(request(id, 'tasks/result', { taskId }));
    const flight = flightAfter(wait(0, 's'), wait(1, 't'));
    expect([flight.taskResultRequest('t'), flight.taskResultRequest('u')]).toEqual([1, undefined]);
    flight.endRequest(1);
    expect(flight.taskResultRequest('t')).toBeUndefined();
  });
});

it('asking what is in flight is the same work with a thousand calls open as with ten', () => {
  const work = [10, 1_000].map((calls) => {
    const flight = flightAfter(
      ...Array.from({ length: calls }, (_, id) => client(call(id, 'a'))),
      server(call(0, 'x')),
    );
    return workOf(() => void flight.ambientCause());
  });
  expect(work[1]).toBe(work[0]);
});
