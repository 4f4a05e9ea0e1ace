import type { Milliseconds } from '../../kernel/clock.ts';
import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { streamEndingFault, whyWhole } from '../support/stream-ending-fault.ts';

type ResetParams = { bytes: WithFallback<number> };

const params: ResetParams = { bytes: withDefault(count('number of bytes of the message sent before the reset', 0), 0) };

/** Delay before the reset. Node reports data and a reset that arrive together as a clean end. */
const APART: Milliseconds = 20;

/** Resets the connection: the client sees a network error instead of an end. */
export const reset: DefinedFault<ResetParams> = defineFault({
  name: 'reset',
  doc: 'The connection is reset (RST) before the message or within it.',
  transports: ['http'],
  params,
  start({ bytes }, { next, write, encode, measure, later, clock, from }) {
    return streamEndingFault({
      next,
      unchanged: (frame) =>
        frame.kind === 'close' && frame.how === 'rst'
          ? 'the connection was reset anyway'
          : whyWhole(bytes, measure(frame)),
      strike(frame) {
        if (bytes > 0) write(encode(frame).subarray(0, bytes));
        later(APART, () => next({ kind: 'close', at: clock.now(), from, how: 'rst' }));
      },
    });
  },
});
