import type { FaultTransport } from '../../faults/fault.ts';
import type { Misbehaviour } from './misbehaviour.ts';
import { errorToServer, nothingToServer, wrongIdToServer } from './misbehaviours/answer-to-server.ts';
import { cancelDuring, cancelEarly, cancelLate, cancelRequest } from './misbehaviours/cancel-request.ts';
import { comeBack } from './misbehaviours/come-back.ts';
import { junkLine, notJson, notJsonRpc, nullId, tooLarge, wrongVersion } from './misbehaviours/damaged-message.ts';
import { deleteOtherSession, deleteUnknownSession } from './misbehaviours/delete-session.ts';
import { endOfInput, halfMessage } from './misbehaviours/end-of-input.ts';
import { leave, resetConnection } from './misbehaviours/leave.ts';
import { outOfOrder, singleBytes, tooLate } from './misbehaviours/message-timing.ts';
import { equalIds, repeatMessage } from './misbehaviours/repeat-message.ts';
import { unknownMethod, unknownNotification } from './misbehaviours/unknown-message.ts';
import { unknownProtocolVersion } from './misbehaviours/unknown-protocol-version.ts';
import { unknownRevision, unknownSession, wrongAccept, wrongContentType } from './misbehaviours/wrong-headers.ts';

const ALL: readonly Misbehaviour[] = [
  leave,
  resetConnection,
  comeBack,
  endOfInput,
  halfMessage,
  cancelRequest,
  cancelEarly,
  cancelDuring,
  cancelLate,
  repeatMessage,
  equalIds,
  outOfOrder,
  singleBytes,
  tooLate,
  tooLarge,
  notJson,
  notJsonRpc,
  junkLine,
  wrongVersion,
  nullId,
  unknownMethod,
  unknownNotification,
  unknownProtocolVersion,
  errorToServer,
  nothingToServer,
  wrongIdToServer,
  unknownSession,
  deleteUnknownSession,
  deleteOtherSession,
  unknownRevision,
  wrongAccept,
  wrongContentType,
];

/** Every misbehaviour of a client, by name. */
export const MISBEHAVIOURS: ReadonlyMap<string, Misbehaviour> = new Map(ALL.map((one) => [one.name, one]));

/** Returns the names of the misbehaviours for a transport. */
export function misbehavioursOver(transport: FaultTransport): string[] {
  return ALL.filter(({ transports }) => transports.includes(transport)).map(({ name }) => name);
}
