import { systemClock } from '../../kernel/clock.ts';
import { ManualClock } from '../../kernel/manual-clock.ts';

/** Time that a test holds in its hands; the turns of the event loop go on by themselves. */
export function testClock(): ManualClock {
  const clock = new ManualClock(systemClock.date());
  clock.endOfTurn = systemClock.endOfTurn;
  return clock;
}
