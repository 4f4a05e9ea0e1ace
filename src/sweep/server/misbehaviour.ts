import type { MessageEntry } from '../../cassette/correlate/session-entries.ts';
import type { Fault, FaultTransport } from '../../faults/fault.ts';

/** A message of the recorded client. */
export interface ClientMessage {
  kind: 'request' | 'notification' | 'response';
  /** Its method; of a response that of the request that it answers. */
  method: string;
  entry: MessageEntry;
}

/**
 * What the server owes: the `answer` that it gives without the misbehaviour; a `response`, which may be an error; an `error`,
 * though servers on official SDKs do not always give one; `anything`, where the message may be lost, or the client wants no answer any more.
 */
export type Obligation = 'answer' | 'response' | 'error' | 'anything';

/** One way in which a client misbehaves at one of its messages. */
export interface Misbehaviour {
  name: string;
  /** What the client does, in one sentence, for people. */
  doc: string;
  transports: readonly FaultTransport[];
  /** Whether it can happen to this message. Absent: it can happen to each. */
  concerns?(message: ClientMessage, transport: FaultTransport): boolean;
  /** Returns what happens to the message. */
  fault(message: ClientMessage, transport: FaultTransport): Fault;
  owes: Obligation;
  /** The transports over which the connection ends with it. */
  ends?: readonly FaultTransport[];
  /** The server gets the request this many times more under one id, and may answer each. */
  asksAgain?: number;
  /** Later answers on the same connection may be others, as the server hears other things, or in another order. */
  changesSession?: true;
  /** A part of what it sends cannot be read, and may be answered under the id null. */
  isUnreadable?: true;
  /** HTTP: the status that the server has to answer with. */
  status?: number;
  /** Section of the specification that says what the server owes. Absent: no rule. */
  source?: string;
}

/** Whether a request that is not answered fails the server. */
export function needsResponse({ owes }: Misbehaviour): boolean {
  return owes === 'answer' || owes === 'response';
}

export function isRequestMessage({ kind }: ClientMessage): boolean {
  return kind === 'request';
}

export function isResponseMessage({ kind }: ClientMessage): boolean {
  return kind === 'response';
}
