import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type Param } from '../rules/declare-fault-params.ts';
import { whyFast } from '../support/ineffective-rate.ts';

type Takes = { rate: Param<number> };

const params: Takes = { rate: count('bytes per second') };

/** Reads slowly, so that the sender has to block instead of buffering without limit. */
export const slowReader: DefinedFault<Takes> = defineFault({
  name: 'slow-reader',
  doc: 'The sender of the message has to wait, because it is read slowly.',
  transports: ['stdio', 'http'],
  noticedBy: 'sender',
  params,
  unfit: ({ when, transport }) =>
    when.from === 'client' && transport === 'http' ? 'a request is read completely before it is processed' : undefined,
  start({ rate }, { next, later, measure, pause }) {
    let reading = 0;
    return {
      unchanged: (frame) => whyFast(measure(frame), rate),
      hit(frame) {
        next(frame);
        reading++;
        pause(true);
        const time = (1000 * measure(frame)) / rate;
        const read = () => {
          reading--;
          if (reading === 0) pause(false);
        };
        later(time, read, { holdsNoFrame: true });
      },
    };
  },
});
