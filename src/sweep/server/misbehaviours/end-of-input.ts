import { end } from '../../../faults/connections/end.ts';
import { truncate } from '../../../faults/connections/truncate.ts';
import type { Misbehaviour } from '../misbehaviour.ts';

export const endOfInput: Misbehaviour = {
  name: 'end',
  doc: 'It closes its end in place of the message.',
  transports: ['stdio'],
  fault: () => end(),
  owes: 'anything',
  ends: ['stdio'],
  source: 'Base Protocol, Lifecycle, "Shutdown"',
};

export const halfMessage: Misbehaviour = {
  name: 'truncate',
  doc: 'It sends the first half of the message, and closes its end.',
  transports: ['stdio', 'http'],
  fault: ({ entry }) => truncate({ bytes: Math.floor(Buffer.byteLength(entry.json.text) / 2) }),
  owes: 'anything',
  isUnreadable: true,
  ends: ['stdio'],
  source: 'Base Protocol, Lifecycle, "Shutdown"',
};
