import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { drop } from '../../../faults/messages/drop.ts';
import { duplicate } from '../../../faults/messages/duplicate.ts';
import { idOf, withId } from '../../../faults/support/edit-message.ts';
import { JsonText } from '../../../protocol/json-text.ts';
import { isRequestMessage, type Misbehaviour } from '../misbehaviour.ts';

export const repeatMessage: Misbehaviour = {
  name: 'duplicate',
  doc: 'It sends the message twice.',
  transports: ['stdio', 'http'],
  fault: () => duplicate(),
  owes: 'answer',
  asksAgain: 1,
};

/** Sends a ping under the id of a request that is not answered yet. */
const sharingId: DefinedFault<Record<never, never>> = defineFault({
  name: 'equal-ids',
  doc: 'A ping with the id of the request follows it.',
  transports: ['stdio'],
  params: {},
  start: (_values, { next, clock, from }) => ({
    hit(frame: Frame) {
      next(frame);
      const json = new JsonText(`{"jsonrpc":"2.0","id":${idOf(frame)},"method":"ping"}`);
      next({ kind: 'message', at: clock.now(), from, json });
    },
  }),
});

export const equalIds: Misbehaviour = {
  name: 'equal-ids',
  doc: 'It sends a ping under the id of the request, which is not answered yet.',
  transports: ['stdio'],
  concerns: ({ kind, method }) => kind === 'request' && method !== 'ping',
  fault: () => sharingId(),
  owes: 'anything',
  asksAgain: 1,
};

/** The request once more under an id of its own: what a server does that is asked twice. */
const asking: DefinedFault<Record<never, never>> = defineFault({
  name: 'ask-again',
  doc: 'The request is sent once more, under another id.',
  transports: ['stdio', 'http'],
  params: {},
  start: (_values, { next }) => ({
    hit(frame: Frame) {
      next(frame);
      next(withId(frame, '"mcp-record:again"'));
    },
  }),
});

/** Not a misbehaviour: what later answers are compared with to tell whether a request took effect twice. */
export const askAgain: Misbehaviour = {
  name: 'ask-again',
  doc: 'It makes the request twice.',
  transports: ['stdio', 'http'],
  concerns: isRequestMessage,
  fault: () => asking(),
  owes: 'answer',
};

/** Not a misbehaviour: what later answers are compared with to tell whether a lost message made the difference. */
export const leaveOut: Misbehaviour = {
  name: 'leave-out',
  doc: 'It does not send the message.',
  transports: ['stdio', 'http'],
  fault: () => drop(),
  owes: 'anything',
};
