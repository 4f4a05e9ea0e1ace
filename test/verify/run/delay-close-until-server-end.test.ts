import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { closeAfterServerEnd } from '../../../src/verify/run/delay-close-until-server-end.ts';
import type { LiveEvents, LiveServer } from '../../../src/verify/run/live-server-types.ts';

function session() {
  const clock = new ManualClock();
  const seen: string[] = [];
  let inner!: LiveEvents;
  const live: LiveServer = {
    isProcess: true,
    begin(_plan, events) {
      inner = events;
    },
    send() {},
    close: () => void seen.push('close'),
  };
  const waiting = closeAfterServerEnd(live, { clock, patience: 1_000 });
  const events: Partial<LiveEvents> = { closed: () => seen.push('closed'), ended: () => seen.push('ended') };
  waiting.begin(undefined as never, events as LiveEvents);
  return { clock, seen, waiting, inner };
}

it('the client closes its side when the server has closed its own', () => {
  const { clock, seen, waiting, inner } = session();
  waiting.close();
  clock.advance(999);
  expect(seen).toEqual([]);
  inner.closed();
  inner.ended({ killed: false });
  clock.advance(1_000);
  expect(seen).toEqual(['closed', 'close', 'ended']);
});

it('the client closes its side when its patience is over', () => {
  const { clock, seen, waiting } = session();
  waiting.close();
  clock.advance(1_000);
  expect(seen).toEqual(['close']);
});

it('a server that has ended is not waited for', () => {
  const { seen, waiting, inner } = session();
  inner.closed();
  waiting.close();
  expect(seen).toEqual(['closed', 'close']);
});
