import { type DefinedFault, defineFault } from '../fault.ts';
import { cancelledBy } from '../support/edit-message.ts';
import { swallow } from '../support/reply-to-sender.ts';

const CANCELLED = 'notifications/cancelled';

/** Drops cancellations, like a server that ignores them. */
export const ignoreCancel: DefinedFault<Record<never, never>> = defineFault({
  name: 'ignore-cancel',
  doc: 'A cancel does not arrive, so the request is answered all the same.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  when: { from: 'client', method: CANCELLED },
  isOfMessages: true,
  unfit: ({ when }) => (when.method === CANCELLED ? undefined : `it is about ${CANCELLED} alone`),
  start: (_values, tools) => ({
    unchanged: (frame) => (cancelledBy(frame) === undefined ? 'the message cancelled no request' : undefined),
    hit: (frame) => swallow(frame, tools),
  }),
});
