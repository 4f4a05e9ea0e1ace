import { systemClock } from '../../kernel/clock.ts';
import { ManualClock } from '../../kernel/manual-clock.ts';

/** Returns a clock whose time the test advances. Turns of the event loop pass in real time. */
export function testClock(): ManualClock {
  const clock = new ManualClock(systemClock.date());
  clock.endOfTurn = systemClock.endOfTurn;
  return clock;
}
