import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { milliseconds, type Param } from '../rules/declare-fault-params.ts';
import { joinByteFrames } from '../support/join-into-one-write.ts';

type ClogParams = { for: Param<number> };

const params: ClogParams = { for: milliseconds('time that messages are held', 1) };

/** Holds all frames for a time, then releases them together. */
export const clog: DefinedFault<ClogParams> = defineFault({
  name: 'clog',
  doc: 'All messages are held for a time, then sent in one burst.',
  transports: ['stdio', 'http', 'memory'],
  params,
  start({ for: time }, tools) {
    let held: WireFrame[] | undefined;
    return {
      get isIdle() {
        return held === undefined;
      },
      hit(frame) {
        if (held) return void held.push(frame);
        held = [frame];
        tools.later(time, () => {
          const frames = held!;
          held = undefined;
          for (const one of joinByteFrames(frames, tools)) tools.next(one);
        });
      },
      pass: (frame) => (held ? void held.push(frame) : tools.next(frame)),
    };
  },
});
