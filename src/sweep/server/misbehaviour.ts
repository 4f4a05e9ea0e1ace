import type { MessageEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Fault, FaultTransport } from '../../faults/fault.ts';
import type { InFlightWindow } from './in-flight-window.ts';
import type { OtherClient } from './misbehaviours/other-http-client.ts';

/** A message of the recorded client. */
export interface ClientMessage {
  kind: 'request' | 'notification' | 'response';
  /** Method of the message. For a response: method of its request. */
  method: string;
  entry: MessageEntry;
}

/**
 * Obligation of the server after a misbehaviour:
 * - `answer`: the same answer as in the baseline;
 * - `response`: a result or an error;
 * - `error`: an error. Servers on official SDKs sometimes omit the error, so a missing error does not fail the sweep;
 * - `anything`: a response is optional, because the message may be lost or the client has cancelled it.
 */
export type Obligation = 'answer' | 'response' | 'error' | 'anything';

/** What a fault for a message depends on. */
export interface FaultSetting {
  /** Window of an answered request without misbehaviour. */
  inFlight?: InFlightWindow | undefined;
  /** HTTP: a client beside the recorded one. */
  otherClient?: OtherClient | undefined;
}

/** A kind of misbehaviour, with the server's obligation. */
export interface Misbehaviour {
  name: string;
  /** Sentence that describes the client's behaviour, for the user. */
  doc: string;
  transports: readonly FaultTransport[];
  /** Reports whether the misbehaviour applies to a message over a transport. Absent: it applies to all messages. */
  concerns?(message: ClientMessage, transport: FaultTransport): boolean;
  /**
   * Returns why the misbehaviour is pointless at a request, given its window without misbehaviour. Absent: the
   * misbehaviour makes sense at all requests.
   */
  unfit?(inFlight: InFlightWindow | undefined): string | undefined;
  /** Returns the fault for the message. */
  fault(message: ClientMessage, setting: FaultSetting): Fault;
  /** The misbehaviour happens while the server works on the request. An earlier answer prevents the misbehaviour. */
  isInFlight?: true;
  owes: Obligation;
  /** Transports over which the misbehaviour closes the connection. */
  ends?: readonly FaultTransport[];
  /**
   * Number of additional requests with the id of the request. The server may answer each of them. Over stdio, the
   * session continues when all answers have arrived.
   */
  asksAgain?: number;
  /** Id of an additional request, as JSON text. Absent: the id of the request. */
  againId?: string;
  /** The server gets the message once, and unchanged. So no other answer is taken as a sign that it was done twice. */
  arrivesOnce?: true;
  /**
   * Later answers on the same connection are not compared with the baseline: the misbehaviour adds, removes or reorders
   * messages.
   */
  changesSession?: true;
  /** The damaged message contains unparseable text. The server may answer with an error whose id is null. */
  isUnreadable?: true;
  /** The server never receives the message in a recognizable form. */
  isLost?: true;
  /** Permitted HTTP statuses of the answer. */
  statuses?: readonly number[];
  /** `statuses` also applies to the POST of a notification or response. */
  refusesPosts?: true;
  /** `statuses` applies only if the server has issued a session id. */
  needsSession?: true;
  /** Permitted HTTP statuses of the answer to the DELETE of another client, if the server has issued a session id. */
  deleteStatuses?: readonly number[] | 'any';
  /** The client resumes the stream of the answer. Each message comes once, on its own stream. */
  resumes?: true;
  /** Returns what is wrong about a result of the request. Absent: any result is right. */
  wrongResult?(result: unknown): string | undefined;
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
