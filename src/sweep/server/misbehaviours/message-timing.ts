import type { WireFrame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { latency } from '../../../faults/timing/latency.ts';
import { slice } from '../../../faults/timing/slice.ts';
import type { Misbehaviour } from '../misbehaviour.ts';

const DELAY = 300;
/** Upper limit for the number of pieces of a message. It bounds the duration of a run with a long message. */
const PIECES_MAX = 400;

export const singleBytes: Misbehaviour = {
  name: 'slice',
  doc: 'It sends the message in single bytes; a long one in 400 pieces.',
  transports: ['stdio', 'http'],
  fault: ({ entry }) => slice({ size: Math.ceil(Buffer.byteLength(entry.json.text) / PIECES_MAX) }),
  arrivesOnce: true,
  owes: 'answer',
  source: 'Base Protocol, Transports',
};

export const tooLate: Misbehaviour = {
  name: 'latency',
  doc: 'It sends the message 300 ms late.',
  transports: ['stdio', 'http'],
  fault: () => latency({ delay: DELAY }),
  arrivesOnce: true,
  owes: 'answer',
};

/** Holds a message back until the next message has passed, for at most `HELD_MAX` milliseconds. */
const overtaken: DefinedFault<Record<never, never>> = defineFault({
  name: 'out-of-order',
  doc: 'The next message overtakes the message.',
  transports: ['stdio'],
  params: {},
  start(_values, { next, later }) {
    let held: WireFrame | undefined;
    const release = () => {
      const frame = held;
      held = undefined;
      if (frame) next(frame);
    };
    return {
      hit(frame) {
        held = frame;
        later(HELD_MAX, release);
      },
      pass(frame) {
        // The end of input overtakes nothing.
        if (frame.kind === 'close') release();
        next(frame);
        // A message of single bytes has passed when its line has ended.
        if (frame.kind !== 'bytes' || frame.data.at(-1) === LINE_FEED) release();
      },
    };
  },
});

const LINE_FEED = 10;
/**
 * Maximum delay in milliseconds. It exceeds the time that a client waits for an optional answer before its next
 * message.
 */
const HELD_MAX = 1_000;

export const outOfOrder: Misbehaviour = {
  name: 'out-of-order',
  doc: 'It sends the next message before this one.',
  transports: ['stdio'],
  fault: () => overtaken(),
  arrivesOnce: true,
  owes: 'anything',
  changesSession: true,
};
