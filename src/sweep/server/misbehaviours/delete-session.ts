import type { Frame, WireFrame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault, type Fault } from '../../../faults/fault.ts';
import type { ClientMessage, FaultSetting, Misbehaviour } from '../misbehaviour.ts';
import { isSelfDescribing } from './build-inserted-message.ts';
import { UNKNOWN_SESSION } from './wrong-headers.ts';

type Target = 'unknown' | 'other';

const NO_SESSION = 'another client got no session of its own from the server';

/** Another client ends a session by DELETE. The message waits until the server has answered that. */
function deletingFault(target: Target, { otherClient }: FaultSetting): Fault {
  const deleting: DefinedFault<Record<never, never>> = defineFault({
    name: `delete-${target}-session`,
    doc: 'Another client ends a session by DELETE, before the message.',
    transports: ['http'],
    params: {},
    awaits: NO_SESSION,
    start(_values, { next, happened, cameToNothing }) {
      let held: WireFrame[] | undefined;
      const release = () => {
        const frames = held ?? [];
        held = undefined;
        for (const frame of frames) next(frame);
      };
      return {
        hit(frame: Frame) {
          const headers = ('headers' in frame && frame.headers) || {};
          // A server without sessions has none to end.
          if (otherClient === undefined || headers['mcp-session-id'] === undefined) {
            happened(frame);
            return next(frame);
          }
          held = [frame];
          const end = async () => {
            const session = target === 'unknown' ? UNKNOWN_SESSION : await otherClient.beginSession();
            if (session === undefined) cameToNothing(frame, NO_SESSION);
            else {
              happened(frame);
              await otherClient.endSession(session, headers['mcp-protocol-version']);
            }
            release();
          };
          void end();
        },
        pass(frame) {
          if (held) held.push(frame);
          else next(frame);
        },
      };
    },
  });
  return deleting();
}

/** Reports whether a message is a request in a session, which `initialize` starts. Since 2026-07-28 there are none. */
function isRequestInSession(message: ClientMessage): boolean {
  return message.kind === 'request' && message.method !== 'initialize' && !isSelfDescribing(message);
}

const common = {
  transports: ['http'],
  concerns: isRequestInSession,
  owes: 'answer',
  source: 'Base Protocol, Transports, "Streamable HTTP", "Session management"',
} as const satisfies Partial<Misbehaviour>;

export const deleteUnknownSession: Misbehaviour = {
  ...common,
  name: 'delete-unknown-session',
  doc: 'It sends the request after another client has sent DELETE with a session id that the server has not issued.',
  fault: (_message, setting) => deletingFault('unknown', setting),
  // A server may not let clients end sessions: 405.
  deleteStatuses: [404, 400, 405],
};

export const deleteOtherSession: Misbehaviour = {
  ...common,
  name: 'delete-other-session',
  doc: 'It sends the request after another client has begun a session, and ended it with DELETE.',
  fault: (_message, setting) => deletingFault('other', setting),
  deleteStatuses: 'any',
};
