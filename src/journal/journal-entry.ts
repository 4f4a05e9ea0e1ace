import type { Headers } from '../channel/frame.ts';
import type { Cancel, Clock } from '../kernel/clock.ts';
import type { Id, Notification, Params, Request, Response, RpcError } from '../protocol/message.ts';

/** How a message came: members of every entry. */
export interface Delivery {
  /** HTTP: the header fields of its request, by lower-case name. */
  headers?: Headers;
  /** Number of its session, counted from 1. Absent: the HTTP request had no known session id. */
  session?: number;
  /** HTTP: the status with which authorization refused the message, 401 or 403. Absent: the mock server has received it. */
  status?: number;
}

/** Members of some kinds of entries only. Declaring them lets callers read them before checking the kind. */
interface AbsentMembers {
  method?: undefined;
  params?: undefined;
  id?: undefined;
  to?: undefined;
  result?: undefined;
  error?: undefined;
}

/** A request of a client. */
export interface ReceivedRequest extends Delivery, Omit<AbsentMembers, 'method' | 'params' | 'id'> {
  kind: 'request';
  method: string;
  params?: Params;
  id: Id;
  /** The message as received. */
  message: Request;
}

/** A notification of a client. */
export interface ReceivedNotification extends Delivery, Omit<AbsentMembers, 'method' | 'params'> {
  kind: 'notification';
  method: string;
  params?: Params;
  message: Notification;
}

/** A client's response to a request of the server: sampling, elicitation, roots, ping. */
export interface ReceivedAnswer extends Delivery, Omit<AbsentMembers, 'id' | 'to' | 'result' | 'error'> {
  kind: 'answer';
  /** Method of the answered request. Absent: the server has sent no request with this id. */
  to?: string;
  id?: Id | null;
  result?: Record<string, unknown>;
  error?: Partial<Record<keyof RpcError, unknown>>;
  message: Response;
}

/** One message that a client has sent. */
export type JournalEntry = ReceivedRequest | ReceivedNotification | ReceivedAnswer;

/** Returns the entries that the mock server has received. Authorization has refused the others. */
export function receivedAmong(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  return entries.filter(({ status }) => status === undefined);
}

/** Returns the method of a request or notification, or of the request that a response answers. */
export function methodOf(entry: JournalEntry): string | undefined {
  return entry.kind === 'answer' ? entry.to : entry.method;
}

/** The source of a journal's entries. */
export interface JournalSource {
  entries(): readonly JournalEntry[];
  /** Forgets all entries. */
  reset(): void;
  /** Calls back when there may be new entries, until cancelled. */
  watch(changed: () => void): Cancel;
  /** Measures the timeout of `waitFor`. */
  clock: Clock;
  /** Methods of open waits in other journals of the same source. Absent: none. */
  waiting?(): readonly string[];
  /** Whether a peer for clients is open. Absent: always open. */
  isOpen?(): boolean;
}
