import { type DefinedFault, defineFault } from '../fault.ts';
import { count, type WithFallback, withDefault } from '../rules/declare-fault-params.ts';
import { streamEndingFault, whyAtEnd, whyWhole } from '../support/stream-ending-fault.ts';

type Takes = { bytes: WithFallback<number> };

const params: Takes = { bytes: withDefault(count('number of bytes of the message that arrive', 0), 0) };

/** Breaks off the session in the middle of a message: kills the process or closes the connection. */
export const cut: DefinedFault<Takes> = defineFault({
  name: 'cut',
  doc: 'The session breaks off before the message or within it: the process is killed, or the connection is closed.',
  transports: ['stdio', 'http', 'memory'],
  params,
  unfit: whyAtEnd,
  start({ bytes }, { next, write, encode, measure, clock, from, transport }) {
    return streamEndingFault({
      next,
      unchanged: (frame) => whyWhole(bytes, measure(frame)),
      strike(frame) {
        if (bytes > 0) write(encode(frame).subarray(0, bytes));
        next({ kind: 'close', at: clock.now(), from, how: 'fin' });
        if (from === 'server' && transport !== 'http') next({ kind: 'exit', at: clock.now(), from, status: 'SIGKILL' });
      },
    });
  },
});
