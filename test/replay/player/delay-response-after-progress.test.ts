import { expect, it } from 'vitest';
import { ManualClock } from '../../../src/kernel/manual-clock.ts';
import { planServer } from '../../../src/replay/plan/server-plan.ts';
import { ProgressGap } from '../../../src/replay/player/delay-response-after-progress.ts';
import { call, cassette, client, progress, result, server } from '../../support/conversation.ts';

it('waits between the latest progress of a request and its response only', () => {
  const { events } = cassette(
    client(call(1, 'a', {}, 'p')),
    client(call(2, 'b', {}, 'q')),
    server(progress('p', 1)),
    server(progress('p', 2)),
    server(result(1, 'A')),
    server(result(2, 'B')),
  );
  const clock = new ManualClock();
  const gap = new ProgressGap(planServer(events), clock, 20);
  expect(gap.wait(4)).toBe(0);
  gap.sent(2);
  clock.advance(15);
  gap.sent(3);
  clock.advance(8);
  expect([gap.wait(4), gap.wait(5)]).toEqual([12, 0]);
  clock.advance(12);
  expect(gap.wait(4)).toBe(0);
});
