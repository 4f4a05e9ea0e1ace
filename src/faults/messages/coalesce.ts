import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { joinByteFrames } from '../support/join-byte-frames.ts';

type Takes = { count: WithFallback<number> };

const params: Takes = { count: withDefault(count('number of messages', 2), 2) };

/** Joins frames into one write. Some real clients lose a notification that arrives together with the next response. */
export const coalesce: DefinedFault<Takes> = defineFault({
  name: 'coalesce',
  doc: 'Several messages are sent in one write.',
  transports: ['stdio', 'http'],
  params,
  start({ count }, tools) {
    let held: WireFrame[] = [];
    const add = (frame: WireFrame) => {
      held.push(frame);
      if (held.length < count && frame.kind !== 'close' && frame.kind !== 'exit') return;
      const frames = held;
      held = [];
      for (const one of joinByteFrames(frames, tools)) tools.next(one);
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
