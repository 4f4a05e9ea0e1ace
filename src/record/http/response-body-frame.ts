import type { LineFrame, MessageFrame, ResponseFrame } from '../../channel/frame.ts';
import { bodyToMessage } from '../../channel/line-to-message.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { headerOf, isIdentity, mediaType } from '../../transports/http/http1/raw-headers.ts';
import type { TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import { responseHeaders } from './recorded-headers.ts';

/** Returns the frame of a response body: its message, or the complete response if the body is not a message. */
export function responseBodyFrame(
  { status, headers: raw }: TrafficEvent<'response'>,
  data: string | Uint8Array,
  at: Milliseconds,
  partial = false,
): MessageFrame | LineFrame | ResponseFrame {
  const line: LineFrame = { kind: 'line', at, from: 'server', on: 'protocol', data, ...(status !== 200 && { status }) };
  const said = partial ? { ...line, partial } : isIdentity(raw) ? bodyToMessage(line) : line;
  if (said.kind === 'message' || partial) {
    const headers = responseHeaders(raw, 'application/json');
    return { ...said, ...(headers && { headers }) };
  }
  const isEmpty = data.length === 0;
  const headers = responseHeaders(raw, isEmpty ? mediaType(headerOf(raw, 'content-type')) : undefined);
  const response = { kind: 'http-response', at, from: 'server', status } as const;
  return { ...response, ...(headers && { headers }), ...(!isEmpty && { body: data }) };
}

/** Reports whether a response changes no state of its session: it is usual, and states no revision. */
export function isPlainResponse(
  { status, headers }: TrafficEvent<'response'>,
  line: Buffer | undefined,
): line is Buffer {
  if (status !== 200 || responseHeaders(headers, 'application/json')) return false;
  return line !== undefined && !line.includes(REVISION);
}

/** Member of a result that states the revision. */
const REVISION = 'protocolVersion';

/** Response without a message, with its request. */
export interface EmptyResponse {
  method: string | undefined;
  status: number;
  data: string | Uint8Array;
  /** Whether the request's body contains a JSON-RPC request. */
  asksForAnswer: boolean;
  isLegacySse: boolean;
}

/**
 * Reports whether the status is the usual one: 202 for notifications and responses, 202 with a text for any POST of
 * HTTP with SSE, 200 for DELETE.
 */
export function isOrdinaryResponse({ method, status, data, asksForAnswer, isLegacySse }: EmptyResponse): boolean {
  if (method === 'DELETE') return status === 200 && data === '';
  if (status !== 202 || method !== 'POST') return false;
  return isLegacySse ? data === '' || data === 'Accepted' : data === '' && !asksForAnswer;
}
