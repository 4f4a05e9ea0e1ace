import { type DefinedFault, defineFault } from '../fault.ts';
import { streamEndingFault, whyAtEnd } from '../support/stream-ending-fault.ts';

/** Ends the stream cleanly without the message. A client may wait for its answer forever. */
export const end: DefinedFault<Record<never, never>> = defineFault({
  name: 'end',
  doc: 'The stream ends cleanly in place of the message. A process exits with 0.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  unfit: whyAtEnd,
  start(_values, { next, clock, from, transport }) {
    return streamEndingFault({
      next,
      strike() {
        next({ kind: 'close', at: clock.now(), from });
        if (from === 'server' && transport !== 'http') next({ kind: 'exit', at: clock.now(), from, status: 0 });
      },
    });
  },
});
