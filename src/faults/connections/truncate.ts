import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { streamEndingFault, whyAtEnd, whyWhole } from '../support/stream-ending-fault.ts';

type Takes = { bytes: WithFallback<number> };

const params: Takes = { bytes: withDefault(count('number of bytes of the message that arrive', 0), 10) };

/** Sends the first bytes of a message and ends the stream. */
export const truncate: DefinedFault<Takes> = defineFault({
  name: 'truncate',
  doc: 'The first bytes of the message arrive, then the stream ends.',
  transports: ['stdio', 'http'],
  params,
  unfit: whyAtEnd,
  start({ bytes }, { next, write, encode, measure, clock, from }) {
    return streamEndingFault({
      next,
      unchanged: (frame) => whyWhole(bytes, measure(frame)),
      strike(frame) {
        write(encode(frame).subarray(0, bytes));
        next({ kind: 'close', at: clock.now(), from });
      },
      outlives: (frame) => frame.kind === 'exit',
    });
  },
});
