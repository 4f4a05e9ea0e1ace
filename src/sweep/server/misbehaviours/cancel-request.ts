import type { Frame, MessageFrame, WireFrame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault, type Fault, type FaultTransport } from '../../../faults/fault.ts';
import { cancel } from '../../../faults/messages/cancel.ts';
import { idOf } from '../../../faults/support/edit-message.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { isResponse } from '../../../protocol/message.ts';
import { scalarKeyAt } from '../../../protocol/scalar-key.ts';
import { delayIntoWindow } from '../in-flight-window.ts';
import type { ClientMessage, FaultSetting, Misbehaviour } from '../misbehaviour.ts';
import { insertedMessage, isSelfDescribing } from './build-inserted-message.ts';

const SOURCE = 'Base Protocol, Utilities, "Cancellation"';

/** `initialize` must not be cancelled by its client ("Cancellation"). */
function canBeCancelled({ kind, method }: ClientMessage): boolean {
  return kind === 'request' && method !== 'initialize';
}

function cancelOf(request: Frame, at: Milliseconds): MessageFrame {
  const params = [`"requestId":${idOf(request) ?? '0'}`, '"reason":"Injected by mcp-record"'];
  return insertedMessage(request, { at, method: 'notifications/cancelled', params });
}

/**
 * Reports whether a notification cancels a request that its client has not sent, or that is answered. Over HTTP from
 * 2026-07-28 on, closing the stream of the request cancels it, and there is no stream then.
 */
function canBeCancelledByNotification(message: ClientMessage, transport: FaultTransport): boolean {
  return canBeCancelled(message) && !(transport === 'http' && isSelfDescribing(message));
}

/** Sends the cancel notification before its request: over HTTP by a POST of its own, which the request waits for. */
function cancellingEarly({ otherClient }: FaultSetting): Fault {
  const cancelling: DefinedFault<Record<never, never>> = defineFault({
    name: 'cancel-early',
    doc: 'The cancel comes before its request.',
    transports: ['stdio', 'http'],
    params: {},
    start(_values, { next, clock }) {
      let held: WireFrame[] | undefined;
      return {
        hit(frame: Frame) {
          const early = cancelOf(frame, clock.now());
          if (otherClient === undefined) {
            next(early);
            return next(frame);
          }
          const headers = ('headers' in frame && frame.headers) || {};
          const standing = { session: headers['mcp-session-id'], revision: headers['mcp-protocol-version'] };
          held = [frame];
          void otherClient.post(early.json.text, standing).then(() => {
            for (const one of held ?? []) next(one);
            held = undefined;
          });
        },
        pass(frame) {
          if (held) held.push(frame);
          else next(frame);
        },
      };
    },
  });
  return cancelling();
}

/** Cancels a request that the server has answered. */
const cancellingLate: DefinedFault<Record<never, never>> = defineFault({
  name: 'cancel-late',
  doc: 'The cancel comes after the answer.',
  transports: ['stdio', 'http'],
  params: {},
  awaits: 'the request was not answered, and no cancel could come after the answer',
  start(_values, { next, clock, happened }) {
    let request: Frame | undefined;
    return {
      hit(frame: Frame) {
        request = frame;
        next(frame);
      },
      intercept(frame) {
        if (request === undefined || frame.kind !== 'message' || !isResponse(frame.json.value)) return false;
        if (scalarKeyAt(frame.json, ['id']) !== idOf(request)) return false;
        happened(request);
        next(cancelOf(request, clock.now()));
        request = undefined;
        return false;
      },
    };
  },
});

export const cancelRequest: Misbehaviour = {
  name: 'cancel',
  doc: 'It cancels the request at once: over HTTP by a POST of its own, and from 2026-07-28 on by closing its stream.',
  transports: ['stdio', 'http'],
  concerns: canBeCancelled,
  fault: () => cancel(),
  owes: 'anything',
  source: SOURCE,
};

/** Shortest time to an answer in which a cancel surely reaches a server that is at work. */
const DURATION_MIN: Milliseconds = 50;
const TOO_SOON = `without misbehaviour, its answer comes within ${DURATION_MIN} ms: too soon for cancel-during`;

export const cancelDuring: Misbehaviour = {
  name: 'cancel-during',
  doc: 'It cancels the request while the server works on it: at the first message before the answer, or half-way to it.',
  transports: ['stdio', 'http'],
  concerns: canBeCancelled,
  unfit: (inFlight) => (inFlight && (inFlight.hasMessages || inFlight.duration >= DURATION_MIN) ? undefined : TOO_SOON),
  fault: (_message, { inFlight = { duration: DURATION_MIN, hasMessages: false } }) =>
    inFlight.hasMessages ? cancel({ at: 1 }) : cancel({ delay: delayIntoWindow(inFlight) }),
  owes: 'anything',
  isInFlight: true,
  source: SOURCE,
};

export const cancelEarly: Misbehaviour = {
  name: 'cancel-early',
  doc: 'It cancels the request before it sends it.',
  transports: ['stdio', 'http'],
  concerns: canBeCancelledByNotification,
  fault: (_message, setting) => cancellingEarly(setting),
  // Servers that read both messages in one chunk may cancel the request instead of answering it.
  owes: 'error',
  source: SOURCE,
};

export const cancelLate: Misbehaviour = {
  name: 'cancel-late',
  doc: 'It cancels the request when it has its answer.',
  transports: ['stdio', 'http'],
  concerns: canBeCancelledByNotification,
  fault: () => cancellingLate(),
  owes: 'answer',
  source: SOURCE,
};
