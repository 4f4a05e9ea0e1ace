import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { type Param, text } from '../../../faults/rules/fault-params.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import type { Misbehaviour } from '../misbehaviour.ts';

type Takes = { message: Param<string> };

/** Sends a message of an unknown method before the message. */
const preceded: DefinedFault<Takes> = defineFault({
  name: 'unknown-message',
  doc: 'Another message comes before the message.',
  transports: ['stdio'],
  params: { message: text('the message') },
  start: ({ message }, { next, clock, from }) => ({
    hit(frame: Frame) {
      next({ kind: 'message', at: clock.now(), from, json: new JsonText(message) });
      next(frame);
    },
  }),
});

export const unknownMethod: Misbehaviour = {
  name: 'unknown-method',
  doc: 'It makes a request of a method that nobody knows before the message.',
  transports: ['stdio'],
  concerns: ({ method }) => method !== 'initialize',
  fault: () => preceded({ message: '{"jsonrpc":"2.0","id":"mcp-record:unknown","method":"mcp-record/unknown"}' }),
  owes: 'answer',
  source: 'JSON-RPC 2.0, 5.1 "Error object"',
};

export const unknownNotification: Misbehaviour = {
  name: 'unknown-notification',
  doc: 'It sends a notification that nobody knows before the message.',
  transports: ['stdio'],
  concerns: ({ method }) => method !== 'initialize',
  fault: () => preceded({ message: '{"jsonrpc":"2.0","method":"notifications/mcp-record/unknown"}' }),
  owes: 'answer',
  source: 'JSON-RPC 2.0, 4.1 "Notification"',
};
