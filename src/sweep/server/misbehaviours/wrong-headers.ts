import { patch } from '../../../faults/messages/patch.ts';
import type { ClientMessage, Misbehaviour } from '../misbehaviour.ts';
import { UNKNOWN_REVISION } from './unknown-protocol-version.ts';

const TRANSPORT = 'Base Protocol, Transports, "Streamable HTTP"';

/** Reports whether a message belongs to a session, which `initialize` starts. */
function isInSession({ method }: ClientMessage): boolean {
  return method !== 'initialize';
}

/** Session id that no server issues. */
export const UNKNOWN_SESSION = 'mcp-record-unknown';

const withHeader = (name: string, value: string) => () => patch({ headers: { [name]: value } });

export const unknownSession: Misbehaviour = {
  name: 'unknown-session',
  doc: 'It names a session that the server has not issued.',
  transports: ['http'],
  concerns: isInSession,
  fault: withHeader('mcp-session-id', UNKNOWN_SESSION),
  owes: 'error',
  // SDK servers send 404. Those that look for sessions by themselves often send 400, as for a missing id.
  statuses: [404, 400],
  refusesPosts: true,
  needsSession: true,
  source: `${TRANSPORT}, "Session management"`,
};

export const unknownRevision: Misbehaviour = {
  name: 'unknown-revision',
  doc: 'It names an unknown revision in MCP-Protocol-Version.',
  transports: ['http'],
  concerns: isInSession,
  fault: withHeader('mcp-protocol-version', UNKNOWN_REVISION),
  owes: 'error',
  statuses: [400],
  refusesPosts: true,
  source: `${TRANSPORT}, "Protocol version header"`,
};

export const wrongAccept: Misbehaviour = {
  name: 'wrong-accept',
  doc: 'It sends the header Accept with an image type only.',
  transports: ['http'],
  fault: withHeader('accept', 'image/png'),
  owes: 'error',
  source: TRANSPORT,
};

export const wrongContentType: Misbehaviour = {
  name: 'wrong-content-type',
  doc: 'It says that its message is plain text.',
  transports: ['http'],
  fault: withHeader('content-type', 'text/plain'),
  owes: 'error',
  source: TRANSPORT,
};
