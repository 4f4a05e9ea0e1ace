import { type DefinedFault, defineFault } from '../fault.ts';
import { swallow } from '../support/reply-to-sender.ts';
import { whyEndsAnyway } from '../support/stream-ending-fault.ts';

/** Drops the message. */
export const drop: DefinedFault<Record<never, never>> = defineFault({
  name: 'drop',
  doc: 'The message is dropped.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  unfit: whyEndsAnyway,
  start: (_values, tools) => ({ hit: (frame) => swallow(frame, tools) }),
});
