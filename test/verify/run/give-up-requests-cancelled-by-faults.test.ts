import { expect, it } from 'vitest';
import type { Frame } from '../../../src/channel/frame.ts';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { FaultInjectedCancels } from '../../../src/verify/run/give-up-requests-cancelled-by-faults.ts';
import type { LiveEvents, LiveServer } from '../../../src/verify/run/live-server-types.ts';
import { client, notification, server } from '../../support/conversation.ts';

const cancelOf = (requestId: number) => client(notification('cancelled', { requestId }));
const answer = (id: number) => server({ jsonrpc: '2.0', id, result: {} });

function session() {
  const clock = new ManualClock();
  const cancels = new FaultInjectedCancels(clock);
  const cancelled: string[] = [];
  let inner!: LiveEvents;
  const live: LiveServer = {
    isProcess: true,
    begin(_plan, events) {
      inner = events;
    },
    send() {},
    close() {},
  };
  const events: Partial<LiveEvents> = { cancelled: (id) => cancelled.push(id), receive() {}, ended() {} };
  cancels.server(live).begin(undefined as never, events as LiveEvents);
  const hear = (frame: Frame) => inner.receive(frame as Parameters<LiveEvents['receive']>[0]);
  return { clock, cancels, cancelled, hear, end: () => inner.ended({ killed: false }) };
}

it('a request that a fault cancels is given up a moment after its cancel', () => {
  const { clock, cancels, cancelled } = session();
  cancels.fired({ fault: 'cancel', id: 1 });
  clock.advance(10_000);
  expect(cancelled).toEqual([]);
  cancels.sent(cancelOf(1));
  clock.advance(299);
  expect(cancelled).toEqual([]);
  clock.advance(1);
  expect(cancelled).toEqual(['1']);
});

it('a request that is answered all the same is not given up', () => {
  const { clock, cancels, cancelled, hear } = session();
  cancels.fired({ fault: 'cancel', id: 1 });
  cancels.sent(cancelOf(1));
  hear(answer(1));
  clock.advance(1_000);
  expect(cancelled).toEqual([]);
});

it('a cancel of the recorded client, and another fault, give up nothing', () => {
  const { clock, cancels, cancelled } = session();
  cancels.fired({ fault: 'latency', id: 1 });
  cancels.sent(cancelOf(1));
  cancels.sent(client(notification('initialized')));
  clock.advance(1_000);
  expect(cancelled).toEqual([]);
});

it('nothing is given up after the end of the server', () => {
  const { clock, cancels, cancelled, end } = session();
  cancels.fired({ fault: 'cancel', id: 1 });
  cancels.sent(cancelOf(1));
  end();
  clock.advance(1_000);
  expect(cancelled).toEqual([]);
});
