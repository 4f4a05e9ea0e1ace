import type { WireFrame } from '../../channel/frame.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { Random } from '../../kernel/random.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { milliseconds, type Param, type WithFallback, withDefault, word } from '../rules/declare-fault-params.ts';

type Distribution = 'uniform' | 'normal' | 'lognormal';

type Takes = { delay: Param<number>; jitter: WithFallback<number>; distribution: WithFallback<Distribution> };

const params: Takes = {
  delay: milliseconds('time that a message is held'),
  jitter: withDefault(milliseconds('maximum deviation from the delay'), 0),
  distribution: withDefault(
    word<Distribution>('distribution of the jitter', 'uniform', 'normal', 'lognormal'),
    'uniform',
  ),
};

/** Delays each frame by a time from its arrival. The stream is late but keeps its rate. */
export const latency: DefinedFault<Takes> = defineFault({
  name: 'latency',
  doc: 'Each message is delayed. The order is kept.',
  transports: ['stdio', 'http', 'memory'],
  params,
  unfit: ({ values: { delay, jitter } }) =>
    delay === 0 && jitter === 0 ? ['it delays by 0 ms', 'Write, for example, "delay: 200".'] : undefined,
  start({ delay, jitter, distribution }, { clock, random, later, next }) {
    /** Delay of the frame that comes next. */
    let drawn: Milliseconds = 0;
    const held: { frame: WireFrame; due: Milliseconds }[] = [];
    const release = () => {
      const now = clock.now();
      let count = 0;
      for (; held[count] && held[count]!.due <= now; count++) next(held[count]!.frame);
      // Removed in one call: removing one by one would shift the whole list each time.
      held.splice(0, count);
      if (held[0]) later(held[0].due - clock.now(), release);
    };
    const hold = (frame: WireFrame, due: Milliseconds) => {
      held.push({ frame, due });
      if (held.length === 1) later(due - clock.now(), release);
    };
    return {
      get isIdle() {
        return held.length === 0;
      },
      unchanged() {
        drawn = Math.max(0, delay + jitter * draw(distribution, random));
        return drawn === 0 ? 'its jitter made the delay 0 ms' : undefined;
      },
      hit: (frame) => hold(frame, clock.now() + drawn),
      pass: (frame) => (held.length === 0 ? next(frame) : hold(frame, clock.now())),
    };
  },
});

/**
 * Draws a jitter factor. Uniform: from -1 to 1. Normal: mostly within that range. Lognormal: positive, with a long
 * tail.
 */
function draw(distribution: Distribution, random: Random): number {
  if (distribution === 'uniform') return 2 * random() - 1;
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return distribution === 'normal' ? normal / 2 : Math.exp(normal / 2);
}
