import { type Clock, systemClock } from '../../../src/kernel/clock.ts';

/**
 * A clock of timers that count turns of the event loop, one for a millisecond. Peers in one process answer each other within
 * a few turns, however slow the machine is, so that nobody waits in real time for what never comes.
 */
export const turnClock: Clock = {
  ...systemClock,
  after(delay, task) {
    let left = delay;
    let next: NodeJS.Immediate;
    const turn = () => {
      if (left-- <= 0) task();
      else next = setImmediate(turn);
    };
    next = setImmediate(turn);
    return () => clearImmediate(next);
  },
};
