import type { Frame, Headers, LineFrame, MessageFrame } from '../../channel/frame.ts';
import { bodyToMessage } from '../../channel/line-to-message.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { headerOf } from '../../transports/http/http1/raw-headers.ts';
import type { TrafficEvent } from '../../transports/http/proxy/http-traffic.ts';
import type { RecordedBody } from './recorded-body.ts';

/** Request whose body is complete or was cut. */
export interface ReadRequest {
  frame: MessageFrame | LineFrame;
  data: string | Uint8Array;
  /** Body as a line for the fast path. Undefined: it is too long, or was cut. */
  line: Buffer | undefined;
  isEmpty: boolean;
  isPartial: boolean;
}

/** Parses the body of a request. `isCut`: the rest of the body never arrives. */
export function readRequest(body: RecordedBody, at: Milliseconds, isCut: boolean): ReadRequest {
  const isPartial = isCut || body.isCut;
  const { isEmpty } = body;
  const line = body.line();
  const data = body.take();
  const written: LineFrame = { kind: 'line', at, from: 'client', on: 'protocol', data };
  return { frame: isPartial ? written : bodyToMessage(written), data, line, isEmpty, isPartial };
}

/**
 * Returns the frame of a request with the given headers: its message, or an `open` frame for a request without message.
 */
export function requestFrame(
  { method, headers: raw }: TrafficEvent<'request'>,
  { frame: said, data, isEmpty, isPartial: partial }: ReadRequest,
  headers: Headers | undefined,
): Frame {
  const beside = headers && { headers };
  if (method === 'POST' && !isEmpty)
    return partial || beside ? ({ ...said, ...(partial && { partial }), ...beside } as Frame) : said;
  const resumes = headerOf(raw, 'last-event-id');
  const open = { kind: 'open', at: said.at, from: 'client', method } as const;
  return { ...open, ...(resumes !== undefined && { resumes }), ...beside, ...(!isEmpty && { body: data }) };
}
