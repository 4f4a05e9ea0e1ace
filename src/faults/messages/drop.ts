import { type DefinedFault, defineFault } from '../fault.ts';
import { swallow } from '../support/reply-to-sender.ts';
import { whyEndsAnyway } from '../support/stream-ending-fault.ts';

/** Drops the message. */
export const drop: DefinedFault<Record<never, never>> = defineFault({
  name: 'drop',
  doc: 'The message is dropped. A client that resumes its event stream gets the message again, and the rule drops it again, unless its `times` are over.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  unfit: whyEndsAnyway,
  start: (_values, tools) => ({ hit: (frame) => swallow(frame, tools) }),
});
