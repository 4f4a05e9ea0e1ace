import { errorOf, isRequest } from '../../protocol/message.ts';
import type { Links } from './correlate-entries.ts';
import type { SessionEntry } from './session-entries.ts';

/** From this status on HTTP says that a request was not served (RFC 9110, 15.5 and 15.6). */
const REFUSED = 400;

/** HTTP: the server refused an exchange with a status, with or without a message as its body. */
export function isRefusal(entry: SessionEntry): boolean {
  const status = statusOf(entry);
  return status !== undefined && status >= REFUSED;
}

/** HTTP status of an entry. Undefined: it has none of its own, or opened an event stream. */
export function statusOf({ frame }: SessionEntry): number | undefined {
  if (frame.kind !== 'http-response' && frame.kind !== 'message') return undefined;
  return frame.status === 'sse' ? undefined : frame.status;
}

/**
 * Requests that were answered with an HTTP status of 400 or more in the place of a message: request → that reply, by
 * position. A message that answers counts for more than a status. An error that names no request is a reply like any other.
 */
export function refusedRequests(
  entries: readonly SessionEntry[],
  { answerOf }: Pick<Links, 'answerOf'>,
): Map<number, number> {
  const refusals = new Map<number, number>();
  /** Unanswered requests of each exchange. A batch has several. */
  const open = new Map<number, number[]>();
  for (const entry of entries) {
    const { index, frame, message, from } = entry;
    const { stream } = frame;
    if (stream === undefined) continue;
    if (from === 'client' && isRequest(message) && !answerOf.has(index)) {
      const others = open.get(stream);
      if (others) others.push(index);
      else open.set(stream, [index]);
    } else if (from === 'server' && (frame.kind === 'http-response' || isRefusal(entry))) {
      if (isRefusal(entry)) for (const request of open.get(stream) ?? []) refusals.set(request, index);
      open.delete(stream);
    }
  }
  return refusals;
}

/** The inverse: reply → the request that it refused; of a batch, the first one. */
export function refusedBy(refusals: ReadonlyMap<number, number>): Map<number, number> {
  return new Map([...refusals].reverse().map(([request, reply]) => [reply, request]));
}

/** `HTTP 404 Session not found` */
export function refusalText(entry: SessionEntry): string {
  const { frame, message, json } = entry;
  const body = frame.kind === 'http-response' ? frame.body : (errorOf(message)?.message ?? json?.text);
  return `HTTP ${statusOf(entry)}${typeof body === 'string' ? ` ${body}` : ''}`;
}
