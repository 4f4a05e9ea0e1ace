import { patch } from '../../../faults/messages/patch.ts';
import { isObject } from '../../../protocol/message.ts';
import type { Misbehaviour } from '../misbehaviour.ts';

/** Revision of the protocol that nobody knows. */
export const UNKNOWN_REVISION = '1999-01-01';

export const unknownProtocolVersion: Misbehaviour = {
  name: 'unknown-protocol-version',
  doc: 'It asks in initialize for a revision that nobody knows.',
  transports: ['stdio', 'http'],
  concerns: ({ kind, method }) => kind === 'request' && method === 'initialize',
  fault: () => patch({ merge: { params: { protocolVersion: UNKNOWN_REVISION } } }),
  owes: 'response',
  // The session goes on in another revision than the recorded one, or has no beginning.
  changesSession: true,
  wrongResult(result) {
    if (!isObject(result) || result.protocolVersion !== UNKNOWN_REVISION) return undefined;
    return `it answers initialize with the revision ${UNKNOWN_REVISION}, which it cannot know`;
  },
  source: 'Base Protocol, Lifecycle, "Version negotiation"',
};
