import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { duration, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { whyEndsAnyway } from '../support/stream-ending-fault.ts';

type Takes = { for: WithFallback<number> };

const params: Takes = { for: withDefault(duration('time that messages are held', 1), Number.POSITIVE_INFINITY) };

/** Holds all frames while the process and its connection stay alive. */
export const stall: DefinedFault<Takes> = defineFault({
  name: 'stall',
  doc: 'No more messages arrive, while the process and its connection stay alive. If the stall ends, all held messages follow.',
  transports: ['stdio', 'http', 'memory'],
  params,
  unfit: (use) => (Number.isFinite(use.values.for) ? undefined : whyEndsAnyway(use)),
  start({ for: time }, { later, next }) {
    let held: WireFrame[] | undefined;
    const hold = (frame: WireFrame) => {
      if (Number.isFinite(time)) held!.push(frame);
      // The exit of a server that the client ended always passes.
      else if (frame.kind === 'exit') next(frame);
    };
    return {
      get isIdle() {
        return held === undefined;
      },
      hit(frame) {
        if (held) return hold(frame);
        held = [];
        hold(frame);
        if (!Number.isFinite(time)) return;
        later(time, () => {
          const frames = held!;
          held = undefined;
          for (const one of frames) next(one);
        });
      },
      pass: (frame) => (held ? hold(frame) : next(frame)),
    };
  },
});
