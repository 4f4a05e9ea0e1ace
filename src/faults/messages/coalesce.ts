import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { joinByteFrames } from '../support/join-byte-frames.ts';

type Takes = { count: WithFallback<number>; wait: WithFallback<number> };

const params: Takes = {
  count: withDefault(count('number of messages', 2), 2),
  wait: withDefault(milliseconds('how long it waits for the next messages; then those that it has are sent'), 100),
};

/** Joins frames into one write. Some real clients lose a notification that arrives together with the next response. */
export const coalesce: DefinedFault<Takes> = defineFault({
  name: 'coalesce',
  doc: 'Several messages are sent in one write.',
  transports: ['stdio', 'http'],
  params,
  start({ count, wait }, tools) {
    let held: WireFrame[] = [];
    let stopWaiting = () => {};
    const release = () => {
      const [frames, stop] = [held, stopWaiting];
      held = [];
      for (const one of joinByteFrames(frames, tools)) tools.next(one);
      // Last, since the exit of the server may have waited for these frames.
      stop();
    };
    const add = (frame: WireFrame) => {
      held.push(frame);
      if (held.length >= count || frame.kind === 'close' || frame.kind === 'exit') release();
      else if (held.length === 1) stopWaiting = tools.later(wait, release);
    };
    return {
      get isIdle() {
        return held.length === 0;
      },
      hit: add,
      pass: (frame) => (held.length > 0 ? add(frame) : tools.next(frame)),
    };
  },
});
