import { drop } from '../../../faults/messages/drop.ts';
import { errorReply } from '../../../faults/messages/error-reply.ts';
import { wrongId } from '../../../faults/messages/wrong-id.ts';
import { isResponseMessage, type Misbehaviour } from '../misbehaviour.ts';

const aboutResponses = {
  transports: ['stdio', 'http'],
  concerns: isResponseMessage,
  owes: 'anything',
  changesSession: true,
} as const satisfies Partial<Misbehaviour>;

export const errorToServer: Misbehaviour = {
  ...aboutResponses,
  name: 'error-reply',
  doc: 'It answers a request of the server with an error.',
  fault: () => errorReply({ code: -1, message: 'User rejected the request' }),
};

export const nothingToServer: Misbehaviour = {
  ...aboutResponses,
  name: 'drop',
  doc: 'It never answers a request of the server.',
  fault: () => drop(),
};

export const wrongIdToServer: Misbehaviour = {
  ...aboutResponses,
  name: 'wrong-id',
  doc: 'It answers a request of the server under an id that the server has not used.',
  fault: () => wrongId(),
};
