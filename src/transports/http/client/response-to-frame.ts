import type { Frame, Headers, SseFields } from '../../../channel/frame.ts';
import { bodyToMessage, lineToMessage } from '../../../channel/line-to-message.ts';
import type { Milliseconds } from '../../../kernel/clock.ts';
import { isResponse } from '../../../protocol/message.ts';
import { headerOf, isIdentity, mediaType } from '../http1/raw-headers.ts';
import type { SseEvent } from '../sse/sse-decoder.ts';
import type { Head } from './client-exchange.ts';

/** Returns the frame of a server-sent event. Undefined for a truncated event, which browsers drop as well. */
export function frameOfEvent(event: SseEvent, at: Milliseconds): Frame | undefined {
  const { data, partial, isCut: _, event: name = '', ...fields } = event;
  if (partial) return undefined;
  const sse: SseFields = name === '' || name === 'message' ? fields : { ...fields, event: name };
  const isMessage = sse.event === undefined && data !== undefined && data !== '';
  if (isMessage || typeof data === 'object') {
    return lineToMessage({ kind: 'line', at, from: 'server', on: 'protocol', data: data ?? '', sse });
  }
  return { kind: 'sse', at, from: 'server', sse: { ...sse, ...(data !== undefined && { data }) } };
}

/**
 * Returns the frame of a complete body: a message if the type is JSON, otherwise an HTTP response. A refusal may be a
 * message without that type, because gateways often omit it, and need not be one with it. A compressed body is none: the client accepts
 * `identity` alone.
 */
export function frameOfBody({ status, headers: raw }: Head, data: Buffer, at: Milliseconds): Frame {
  const isRefusal = status >= 400;
  const text = data.toString();
  const isMessage = isRefusal || mediaType(headerOf(raw, 'content-type')) === 'application/json';
  // Clients would try to decompress a body that is labelled as compressed, and fail on plain text.
  if (isMessage && isIdentity(raw)) {
    const line = { kind: 'line', at, from: 'server', on: 'protocol', data: text } as const;
    const said = bodyToMessage({ ...line, ...(status !== 200 && { status }) });
    if (said.kind === 'message') return said;
  }
  const headers = shownOf(raw);
  return {
    kind: 'http-response',
    at,
    from: 'server',
    status,
    ...(headers && { headers }),
    ...(text !== '' && { body: text }),
  };
}

/** Header fields that explain a response without a message to a person. */
const SHOWN = ['content-type', 'content-encoding', 'www-authenticate', 'allow', 'retry-after', 'location'];

function shownOf(raw: Head['headers']): Headers | undefined {
  const shown = SHOWN.flatMap((name) => {
    const value = headerOf(raw, name);
    return value === undefined ? [] : [[name, value]];
  });
  return shown.length === 0 ? undefined : Object.fromEntries(shown);
}

/** Reports whether a frame is an event with an id, and no answer. */
export function hasEventIdBeforeAnswer(frame: Frame): boolean {
  if (frame.kind === 'message' && isResponse(frame.json.value)) return false;
  return 'sse' in frame && frame.sse?.id !== undefined;
}
