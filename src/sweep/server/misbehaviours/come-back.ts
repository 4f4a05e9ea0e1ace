import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { isResponse } from '../../../protocol/message.ts';
import type { ClientMessage, Misbehaviour } from '../misbehaviour.ts';
import { isSelfDescribing } from './build-inserted-message.ts';

const NO_ID = 'the server sent no event with an id before the answer';

/** Leaves the stream of the answer after its first event with an id. The player then resumes it. */
const leavingItsStream: DefinedFault<Record<never, never>> = defineFault({
  name: 'come-back',
  doc: 'The stream of the answer ends after its first event with an id.',
  transports: ['http'],
  params: {},
  awaits: NO_ID,
  start(_values, { next, back, clock, from, happened, cameToNothing }) {
    let request: Frame | undefined;
    let hasLeft = false;
    return {
      hit(frame: Frame) {
        request = frame;
        next(frame);
      },
      intercept(frame) {
        if (request !== undefined && frame.kind === 'message' && isResponse(frame.json.value)) {
          cameToNothing(request, NO_ID);
          request = undefined;
        }
        return hasLeft;
      },
      other(frame) {
        const id = 'sse' in frame ? frame.sse?.id : undefined;
        if (request === undefined || hasLeft || id === undefined) return;
        hasLeft = true;
        happened(request);
        next({ kind: 'close', at: clock.now(), from, how: 'fin' });
        back({ kind: 'close', at: clock.now(), from: 'server', how: 'fin' });
      },
    };
  },
});

/** Reports whether the answer to a message has a stream that can be resumed, up to 2025-11-25. */
function isRequestInSession(message: ClientMessage): boolean {
  return message.kind === 'request' && message.method !== 'initialize' && !isSelfDescribing(message);
}

export const comeBack: Misbehaviour = {
  name: 'come-back',
  doc: 'It leaves the stream of the answer after an event with an id, and resumes it with Last-Event-ID.',
  transports: ['http'],
  concerns: isRequestInSession,
  unfit: (inFlight) =>
    inFlight?.isResumable
      ? undefined
      : 'without misbehaviour, no event with an id comes before its answer, so its stream cannot be resumed',
  fault: () => leavingItsStream(),
  owes: 'answer',
  resumes: true,
  source: 'Base Protocol, Transports, "Streamable HTTP", "Resumability and Redelivery"',
};
