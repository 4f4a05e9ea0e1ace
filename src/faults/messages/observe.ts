import { type DefinedFault, defineFault } from '../fault.ts';

/** Changes nothing, so that the journal of faults names each message that a rule matches. Sweeps use it. */
export const observe: DefinedFault<Record<never, never>> = defineFault({
  name: 'observe',
  doc: 'The message is noted in the journal of faults, and passes.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  start: (_values, { next }) => ({ hit: (frame) => next(frame) }),
});
