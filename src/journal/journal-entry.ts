import type { Headers } from '../channel/frame.ts';
import type { Id, Notification, Params, Request, Response, RpcError } from '../protocol/message.ts';

/** What every entry has. */
interface Received {
  /** HTTP: the header fields of the request that brought it, by lower-case name. */
  headers?: Headers;
  /** Which session of the server it belongs to, counted from 1. Absent: HTTP did not say. */
  session?: number;
}

/** A request of a client. */
export interface ReceivedRequest extends Received {
  kind: 'request';
  method: string;
  params?: Params;
  id: Id;
  /** The message as it came. */
  message: Request;
}

/** A notification of a client. */
export interface ReceivedNotification extends Received {
  kind: 'notification';
  method: string;
  params?: Params;
  message: Notification;
}

/** An answer of a client to a request of the server: sampling, elicitation, roots, ping. */
export interface ReceivedAnswer extends Received {
  kind: 'answer';
  /** The method of the request that it answers. Absent: the server has not asked anything with this id. */
  to?: string;
  id?: Id | null;
  result?: Record<string, unknown>;
  error?: Partial<Record<keyof RpcError, unknown>>;
  message: Response;
}

/** One message that a client has sent. */
export type JournalEntry = ReceivedRequest | ReceivedNotification | ReceivedAnswer;

/** What the entry is about: its own method, or that of the request which it answers. */
export function methodOf(entry: JournalEntry): string | undefined {
  return entry.kind === 'answer' ? entry.to : entry.method;
}
