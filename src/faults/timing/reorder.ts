import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';

type Takes = { window: WithFallback<number>; wait: WithFallback<number> };

const params: Takes = {
  window: withDefault(count('number of messages that change their order', 2), 2),
  wait: withDefault(milliseconds('how long it waits for the next messages; then those that it has are sent'), 100),
};

/** Changes the order of frames. The end of a stream keeps its position. */
export const reorder: DefinedFault<Takes> = defineFault({
  name: 'reorder',
  doc: 'Messages change their order: two are swapped, more are shuffled by the seed.',
  transports: ['stdio', 'http', 'memory'],
  params,
  span: 'session',
  start({ window, wait }, { next, random, later }) {
    /** Held frames, each with the end of its stream. */
    let held: [WireFrame, ...WireFrame[]][] = [];
    let stopWaiting = () => {};
    const send = () => {
      const [frames, stop] = [held.flat(), stopWaiting];
      held = [];
      for (const frame of frames) next(frame);
      // Last, since the exit of the server may have waited for these frames.
      stop();
    };
    const release = () => {
      for (let last = held.length - 1; last > 0; last--) {
        const other = window === 2 ? 0 : Math.floor(random() * (last + 1));
        [held[last], held[other]] = [held[other]!, held[last]!];
      }
      send();
    };
    const add = (frame: WireFrame) => {
      held.push([frame]);
      if (held.length === window) release();
      else if (held.length === 1) stopWaiting = later(wait, release);
    };
    return {
      hit: add,
      pass(frame) {
        if (held.length === 0) return next(frame);
        if (frame.kind === 'http-response') return next(frame);
        if (frame.kind !== 'close' && frame.kind !== 'exit') return add(frame);
        if (frame.stream !== undefined) {
          const before = held.findLast(([one]) => one.stream === frame.stream);
          return before ? void before.push(frame) : next(frame);
        }
        send();
        next(frame);
      },
    };
  },
});
