import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { drop } from '../../../faults/messages/drop.ts';
import { duplicate } from '../../../faults/messages/duplicate.ts';
import { idOf, withId } from '../../../faults/support/edit-message.ts';
import { isRequestMessage, type Misbehaviour } from '../misbehaviour.ts';
import { insertedMessage } from './build-inserted-message.ts';

export const repeatMessage: Misbehaviour = {
  name: 'duplicate',
  doc: 'It sends the message twice.',
  transports: ['stdio', 'http'],
  fault: () => duplicate(),
  owes: 'answer',
  asksAgain: 1,
};

/** Sends a ping with the id of a pending request. */
const sharingId: DefinedFault<Record<never, never>> = defineFault({
  name: 'equal-ids',
  doc: 'A ping with the id of the request follows it.',
  transports: ['stdio'],
  params: {},
  start: (_values, { next, clock }) => ({
    hit(frame: Frame) {
      next(frame);
      next(insertedMessage(frame, { at: clock.now(), id: idOf(frame) ?? '0', method: 'ping' }));
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

const AGAIN_ID = '"mcp-record:again"';

/** Sends the request again with another id: the control for requests that take effect twice. */
const asking: DefinedFault<Record<never, never>> = defineFault({
  name: 'ask-again',
  doc: 'The request is sent once more, under another id.',
  transports: ['stdio', 'http'],
  params: {},
  start: (_values, { next }) => ({
    hit(frame: Frame) {
      next(frame);
      next(withId(frame, AGAIN_ID));
    },
  }),
});

/**
 * Control, not in the table of misbehaviours: the client sends the request twice. Its answers show whether a request
 * took effect twice.
 */
export const askAgain: Misbehaviour = {
  name: 'ask-again',
  doc: 'It makes the request twice.',
  transports: ['stdio', 'http'],
  concerns: isRequestMessage,
  fault: () => asking(),
  owes: 'answer',
  asksAgain: 1,
  againId: AGAIN_ID,
};

/**
 * Control, not in the table of misbehaviours: the client omits the message. Its answers show whether a lost message
 * changed later answers.
 */
export const leaveOut: Misbehaviour = {
  name: 'leave-out',
  doc: 'It does not send the message.',
  transports: ['stdio', 'http'],
  fault: () => drop(),
  owes: 'anything',
};
