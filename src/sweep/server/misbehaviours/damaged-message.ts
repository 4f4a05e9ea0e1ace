import type { Frame } from '../../../channel/frame.ts';
import { type DefinedFault, defineFault } from '../../../faults/fault.ts';
import { corrupt } from '../../../faults/messages/corrupt.ts';
import { junk } from '../../../faults/messages/junk.ts';
import { oversize } from '../../../faults/messages/oversize.ts';
import { patch } from '../../../faults/messages/patch.ts';
import { withId } from '../../../faults/support/edit-message.ts';
import { isRequestMessage, type Misbehaviour } from '../misbehaviour.ts';

const JSON_RPC = 'JSON-RPC 2.0, 5.1 "Error object"';
const LARGE = 4 * 1024 * 1024;

export const notJson: Misbehaviour = {
  name: 'not-json',
  doc: 'It sends the message without its last brace: no JSON.',
  transports: ['stdio', 'http'],
  fault: () => corrupt({ kind: 'bad-json' }),
  owes: 'error',
  isUnreadable: true,
  isLost: true,
  statuses: [400],
  source: JSON_RPC,
};

export const notJsonRpc: Misbehaviour = {
  name: 'not-json-rpc',
  doc: 'It sends JSON that is no JSON-RPC in place of the message.',
  transports: ['stdio', 'http'],
  fault: () => corrupt({ kind: 'not-json-rpc' }),
  owes: 'error',
  isUnreadable: true,
  isLost: true,
  statuses: [400],
  source: JSON_RPC,
};

export const junkLine: Misbehaviour = {
  name: 'junk',
  doc: 'It sends a line of text before the message.',
  transports: ['stdio'],
  fault: () => junk({ text: 'this is no message' }),
  owes: 'answer',
  isUnreadable: true,
  source: JSON_RPC,
};

export const tooLarge: Misbehaviour = {
  name: 'oversize',
  doc: 'It sends the message with 4 MiB of white space in it.',
  transports: ['stdio', 'http'],
  fault: () => oversize({ bytes: LARGE }),
  owes: 'response',
  isUnreadable: true,
};

export const wrongVersion: Misbehaviour = {
  name: 'wrong-version',
  doc: 'It says that the message is JSON-RPC 1.0.',
  transports: ['stdio', 'http'],
  fault: () => patch({ merge: { jsonrpc: '1.0' } }),
  owes: 'error',
  isUnreadable: true,
  source: JSON_RPC,
};

/** MCP allows no such id. */
const withoutId: DefinedFault<Record<never, never>> = defineFault({
  name: 'null-id',
  doc: 'The id is null.',
  transports: ['stdio', 'http'],
  params: {},
  start: (_values, { next }) => ({ hit: (frame: Frame) => next(withId(frame, 'null')) }),
});

export const nullId: Misbehaviour = {
  name: 'null-id',
  doc: 'It gives the request the id null.',
  transports: ['stdio', 'http'],
  concerns: isRequestMessage,
  fault: () => withoutId(),
  owes: 'error',
  isUnreadable: true,
  source: 'Base Protocol, "Requests"',
};
