import type { MessageEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Fault, FaultTransport } from '../../faults/fault.ts';
import type { InFlightWindow } from './in-flight-window.ts';

/** A message of the recorded client. */
export interface ClientMessage {
  kind: 'request' | 'notification' | 'response';
  /** Method of the message. For a response: method of the request that it answers. */
  method: string;
  entry: MessageEntry;
}

/**
 * What the server owes after a misbehaviour:
 * - `answer`: the same answer as in the baseline;
 * - `response`: a result or an error;
 * - `error`: an error. Servers on official SDKs do not always send one, so a missing error does not fail the sweep;
 * - `anything`: a response is optional, because the message may be lost or the client has cancelled it.
 */
export type Obligation = 'answer' | 'response' | 'error' | 'anything';

/** A kind of misbehaviour, with the server's obligation. */
export interface Misbehaviour {
  name: string;
  /** One sentence about the client's behaviour, for the user. */
  doc: string;
  transports: readonly FaultTransport[];
  /** Reports whether the misbehaviour applies to a message. Absent: it applies to all messages. */
  concerns?(message: ClientMessage, transport: FaultTransport): boolean;
  /**
   * Returns why the misbehaviour has no meaning at a request, given its window without misbehaviour. Absent: it has one
   * at all requests.
   */
  unfit?(inFlight: InFlightWindow | undefined): string | undefined;
  /** Returns what happens to the message. `inFlight` is known for an answered request. */
  fault(message: ClientMessage, transport: FaultTransport, inFlight?: InFlightWindow): Fault;
  /** The misbehaviour happens some time after the request, and only if this is not answered before. */
  isInFlight?: true;
  owes: Obligation;
  /** Transports over which the misbehaviour closes the connection. */
  ends?: readonly FaultTransport[];
  /**
   * Number of additional requests that the misbehaviour sends, under the id of the request. The server may answer each of
   * them. Over stdio, the session goes on when all are answered.
   */
  asksAgain?: number;
  /** Id of an additional request, as JSON text. Absent: that of the request. */
  againId?: string;
  /**
   * Later answers on the same connection are not compared with the baseline: the misbehaviour adds, removes or reorders
   * messages.
   */
  changesSession?: true;
  /** The damaged message contains unparseable text. The server may answer with an error whose id is null. */
  isUnreadable?: true;
  /** The message does not reach the server as one that it can take for the message. */
  isLost?: true;
  /** HTTP statuses of the answer, one of which is required. */
  statuses?: readonly number[];
  /** Such a status is required of each POST, also that of a notification or an answer. */
  refusesPosts?: true;
  /** A status is required only of a server that has issued a session id. */
  needsSession?: true;
  /** Section of the specification with the server's obligation. Absent: no section requires it. */
  source?: string;
}

/** Reports whether a missing response to the misbehaved request fails the sweep. */
export function needsResponse({ owes }: Pick<Misbehaviour, 'owes'>): boolean {
  return owes === 'answer' || owes === 'response';
}

export function isRequestMessage({ kind }: ClientMessage): boolean {
  return kind === 'request';
}

export function isResponseMessage({ kind }: ClientMessage): boolean {
  return kind === 'response';
}
