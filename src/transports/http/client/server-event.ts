import type { Frame } from '../../../channel/frame.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import type { JsonText } from '../../../protocol/json-text.ts';
import type { Head } from './client-exchange.ts';

/** Frame of the server, with the stream number of the client's frame. */
export interface ServerEvent {
  frame: Frame;
  /** Ids, as JSON tokens, of requests that will never be answered. */
  unanswered: readonly string[];
  /** Notification or response that the client posted. Its HTTP response, `frame`, should be 202 Accepted. */
  posted?: JsonText;
  /** Method of a request without a message, whose token the server refused. */
  opened?: 'GET' | 'DELETE';
}

/**
 * Returns the event of a request without a message whose token the server refused. Undefined: any other request or
 * status. Others may say that the server has no streams or no sessions.
 */
export function refusedOpen(method: string, head: Head | undefined, at: Milliseconds): ServerEvent | undefined {
  if (method !== 'GET' && method !== 'DELETE') return undefined;
  if (head?.status !== 401 && head?.status !== 403) return undefined;
  return { frame: { kind: 'http-response', at, from: 'server', status: head.status }, unanswered: [], opened: method };
}
