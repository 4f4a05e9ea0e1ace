import { type DefinedFault, defineFault } from '../fault.ts';
import { count, milliseconds, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { DelayQueue } from '../support/delay-queue.ts';

type Takes = { count: WithFallback<number>; gap: WithFallback<number> };

const params: Takes = {
  count: withDefault(count('number of additional copies'), 1),
  gap: withDefault(milliseconds('time between copies'), 0),
};

/** Sends the message again. */
export const duplicate: DefinedFault<Takes> = defineFault({
  name: 'duplicate',
  doc: 'The message is sent again, with the same id.',
  transports: ['stdio', 'http', 'memory'],
  params,
  start({ count, gap }, tools) {
    const line = new DelayQueue(tools);
    return {
      get isIdle() {
        return line.isEmpty;
      },
      unchanged: (frame) =>
        frame.kind === 'close' || frame.kind === 'http-response' ? 'an end or a redirect comes once' : undefined,
      hit(frame) {
        line.add(frame);
        for (let n = 0; n < count; n++) line.add(frame, gap);
      },
      pass: (frame) => line.add(frame),
    };
  },
});
