import { type DefinedFault, defineFault } from './fault.ts';

/** A stream that has ended, of a process that has not. */
export const halfClose: DefinedFault<Record<never, never>> = defineFault({
  name: 'half-close',
  doc: 'The stream ends where the message should have come, and the process lives on.',
  grounds: ['stdio', 'http', 'memory'],
  params: {},
  start(_values, { next, clock, from }) {
    let over = false;
    return {
      hit() {
        if (over) return;
        over = true;
        next({ kind: 'close', at: clock.now(), from });
      },
      pass: (frame) => (over && frame.kind !== 'exit' ? undefined : next(frame)),
    };
  },
});
