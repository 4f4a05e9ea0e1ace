import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { type Param, text } from '../../../faults/rules/declare-fault-params.ts';
import type { Misbehaviour } from '../misbehaviour.ts';
import { insertedMessage } from './build-inserted-message.ts';

type Takes = { method: Param<string>; id: Param<string> };

/** Sends a message of an unknown method before the message. */
const preceded: DefinedFault<Takes> = defineFault({
  name: 'unknown-message',
  doc: 'Another message comes before the message.',
  transports: ['stdio'],
  params: { method: text('the method'), id: text('the id as JSON; empty for a notification') },
  start: ({ method, id }, { next, clock }) => ({
    hit(frame: Frame) {
      next(insertedMessage(frame, { at: clock.now(), method, ...(id !== '' && { id }) }));
      next(frame);
    },
  }),
});

export const unknownMethod: Misbehaviour = {
  name: 'unknown-method',
  doc: 'It makes a request of an unknown method before the message.',
  transports: ['stdio'],
  concerns: ({ method }) => method !== 'initialize',
  // A client never uses an id twice in a session ("Requests").
  fault: ({ entry }) => preceded({ method: 'mcp-record/unknown', id: `"mcp-record:unknown-${entry.index}"` }),
  owes: 'answer',
  source: 'JSON-RPC 2.0, 5.1 "Error object"',
};

export const unknownNotification: Misbehaviour = {
  name: 'unknown-notification',
  doc: 'It sends an unknown notification before the message.',
  transports: ['stdio'],
  concerns: ({ method }) => method !== 'initialize',
  fault: () => preceded({ method: 'notifications/mcp-record/unknown', id: '' }),
  owes: 'answer',
  source: 'JSON-RPC 2.0, 4.1 "Notification"',
};
