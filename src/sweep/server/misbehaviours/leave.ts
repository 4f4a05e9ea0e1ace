import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { type WithFallback, withDefault, word } from '../../../faults/rules/declare-fault-params.ts';
import { isRequestMessage, type Misbehaviour } from '../misbehaviour.ts';

type How = 'fin' | 'rst';
type Takes = { how: WithFallback<How> };

/** Sends the message, and closes its connection before the answer. */
const leaving: DefinedFault<Takes> = defineFault({
  name: 'leave',
  doc: 'The message is sent, and the connection closed before the answer.',
  transports: ['stdio', 'http'],
  params: { how: withDefault(word<How>('how', 'fin', 'rst'), 'fin') },
  start({ how }, { next, later, clock, from }) {
    let isOver = false;
    return {
      get isOver() {
        return isOver;
      },
      hit(frame: Frame) {
        isOver = true;
        next(frame);
        const { stream } = frame;
        // The message has to reach the server before the connection closes.
        later(SENT_AFTER, () => {
          next({ kind: 'close', at: clock.now(), from, how, ...(stream !== undefined && { stream }) });
        });
      },
      pass(frame) {
        if (!isOver) next(frame);
      },
    };
  },
});

const SENT_AFTER = 20;

export const leave: Misbehaviour = {
  name: 'leave',
  doc: 'It sends the request, and closes the connection before the answer.',
  transports: ['stdio', 'http'],
  concerns: isRequestMessage,
  fault: () => leaving(),
  owes: 'anything',
  ends: ['stdio'],
  source: 'Base Protocol, Lifecycle, "Shutdown"',
};

export const resetConnection: Misbehaviour = {
  ...leave,
  name: 'reset',
  doc: 'It sends the request, and resets the connection (RST) before the answer.',
  transports: ['http'],
  fault: () => leaving({ how: 'rst' }),
};
