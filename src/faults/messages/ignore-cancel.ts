import { type DefinedFault, defineFault } from '../fault.ts';
import { cancelledBy } from '../support/edit-message.ts';
import { swallow } from '../support/reply-to-sender.ts';

/** Drops cancellations, like a server that ignores them. */
export const ignoreCancel: DefinedFault<Record<never, never>> = defineFault({
  name: 'ignore-cancel',
  doc: 'A cancel does not arrive, so the request is answered all the same.',
  transports: ['stdio', 'http', 'memory'],
  params: {},
  when: { from: 'client', method: 'notifications/cancelled' },
  start(_values, tools) {
    return { hit: (frame) => (cancelledBy(frame) === undefined ? tools.next(frame) : swallow(frame, tools)) };
  },
});
