import { type DefinedFault, defineFault } from '../fault.ts';
import { streamEndingFault, whyAtEnd } from '../support/stream-ending-fault.ts';

/** Ends a stream while its process keeps running. */
export const halfClose: DefinedFault<Record<never, never>> = defineFault({
  name: 'half-close',
  doc: 'The stream ends where the message should have come, and the process lives on. Over HTTP, the response is complete, and its connection half closed.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  unfit: whyAtEnd,
  start(_values, { next, clock, from, transport }) {
    return streamEndingFault({
      next,
      strike() {
        next({ kind: 'close', at: clock.now(), from });
        if (transport === 'http') next({ kind: 'close', at: clock.now(), from, how: 'fin' });
      },
      outlives: (frame) => frame.kind === 'exit',
    });
  },
});
