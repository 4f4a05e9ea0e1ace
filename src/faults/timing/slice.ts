import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { DelayQueue } from '../support/delay-queue.ts';

type SliceParams = { size: WithFallback<number>; variation: WithFallback<number>; gap: WithFallback<number> };

const params: SliceParams = {
  size: withDefault(count('bytes per piece'), 1),
  variation: withDefault(count('maximum deviation from the size, in bytes', 0), 0),
  gap: withDefault(milliseconds('time between pieces'), 1),
};

/** Splits messages at any byte, as a network may. */
export const slice: DefinedFault<SliceParams> = defineFault({
  name: 'slice',
  doc: 'A message is sent in pieces, which are split within lines and characters.',
  transports: ['stdio', 'http'],
  noticedBy: 'receiver',
  params,
  start({ size, variation, gap }, { next, later, encode, measure, clock, from, random }) {
    const line = new DelayQueue({ next, later, clock });
    /** Lengths of the pieces of the frame that comes next. */
    let lengths: number[] = [];
    return {
      get isIdle() {
        return line.isEmpty;
      },
      unchanged(frame) {
        const whole = measure(frame);
        lengths = [];
        for (let at = 0; at < whole; at += lengths.at(-1)!)
          lengths.push(Math.max(1, size + Math.round(variation * (2 * random() - 1))));
        return lengths.length > 1 ? undefined : `its ${whole} bytes are one piece of "size: ${size}"`;
      },
      hit(frame) {
        const data = encode(frame);
        let at = 0;
        for (const length of lengths) {
          const piece = data.subarray(at, at + length);
          line.add({ kind: 'bytes', at: clock.now(), from, on: 'protocol', data: piece }, at === 0 ? 0 : gap);
          at += length;
        }
      },
      pass: (frame) => line.add(frame),
    };
  },
});
