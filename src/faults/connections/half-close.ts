import { type DefinedFault, defineFault } from '../fault.ts';
import { endStream } from '../support/end-stream.ts';

/** Ends a stream while its process keeps running. */
export const halfClose: DefinedFault<Record<never, never>> = defineFault({
  name: 'half-close',
  doc: 'The stream ends in place of the message, and the process keeps running. Over HTTP, the response ends completely, and its connection is half closed.',
  grounds: ['stdio', 'http', 'memory'],
  params: {},
  start(_values, { next, clock, from, ground }) {
    return endStream(
      next,
      () => {
        next({ kind: 'close', at: clock.now(), from });
        if (ground === 'http') next({ kind: 'close', at: clock.now(), from, how: 'fin' });
      },
      (frame) => frame.kind === 'exit',
    );
  },
});
