import type { WireFrame } from '../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type Param } from '../rules/declare-fault-params.ts';
import { DelayQueue } from '../support/delay-queue.ts';
import { whyFast } from '../support/ineffective-rate.ts';

type Takes = { rate: Param<number> };

const params: Takes = { rate: count('bytes per second') };

/** Pieces per second: fine enough to look steady, coarse enough for timers. */
const PIECES = 50;

/** Limits the byte rate. */
export const throttle: DefinedFault<Takes> = defineFault({
  name: 'throttle',
  doc: 'Bytes are sent at a constant rate.',
  transports: ['stdio', 'http'],
  params,
  start({ rate }, { next, later, encode, measure, clock, from }) {
    const line = new DelayQueue({ next, later, clock });
    const size = Math.max(1, Math.round(rate / PIECES));
    return {
      get isIdle() {
        return line.isEmpty;
      },
      unchanged: (frame) => whyFast(measure(frame), rate),
      hit(frame) {
        const data = encode(frame);
        for (let at = 0; at < data.length; at += size) {
          const piece = data.subarray(at, at + size);
          const slow: WireFrame = { kind: 'bytes', at: clock.now(), from, on: 'protocol', data: piece };
          line.add(slow, (1000 * piece.length) / rate);
        }
      },
      pass: (frame) => line.add(frame),
    };
  },
});
