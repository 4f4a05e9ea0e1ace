import { type DefinedFault, defineFault } from '../fault.ts';
import { streamEndingFault, whyAtEnd } from '../support/stream-ending-fault.ts';

/** Ends a stream while its process keeps running. */
export const halfClose: DefinedFault<Record<never, never>> = defineFault({
  name: 'half-close',
  doc: 'The stream ends where the message should have come, and the process lives on. Over HTTP, the response is complete, and its connection half closed. In memory, nothing more comes from a server.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  unfit: whyAtEnd,
  start(_values, { next, clock, from, transport }) {
    return streamEndingFault({
      next,
      strike() {
        // A transport in memory has no end of its input but its close, which clients over stdio do not see here.
        if (transport === 'memory' && from === 'server') return;
        next({ kind: 'close', at: clock.now(), from });
        if (transport === 'http') next({ kind: 'close', at: clock.now(), from, how: 'fin' });
      },
      outlives: (frame) => frame.kind === 'exit',
    });
  },
});
