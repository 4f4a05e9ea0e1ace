import type { Frame, Headers, LineFrame, MessageFrame, SseFields } from '../channel/frame.ts';
import type { JsonText } from '../protocol/json-text.ts';

/** Redaction functions for the parts of a frame. Each returns its argument if it contains no secret. */
export interface Parts {
  json(json: JsonText): JsonText;
  text(text: string): string;
  /** Redacts the id or the name of a server-sent event. */
  eventField(text: string): string;
  /** `encoding`: the header `Content-Encoding` beside the bytes. */
  bytes(bytes: Uint8Array, encoding: string | undefined): Uint8Array;
  url(url: string): string;
  header(name: string, value: string): string;
}

/** Redacts the parts of a frame. Returns the same object if nothing is secret. */
export function redactFrame(frame: Frame, parts: Parts): Frame {
  switch (frame.kind) {
    case 'message':
      return messageOf(frame, parts);
    case 'line':
      return changed(frame, { data: dataOf(frame, parts), ...besideOf(frame, parts) });
    case 'open':
      return changed(frame, {
        ...(frame.path !== undefined && { path: parts.url(frame.path) }),
        ...headersOf(frame.headers, parts),
        ...(frame.resumes !== undefined && { resumes: parts.eventField(frame.resumes) }),
        ...bodyOf(frame, parts),
      });
    case 'http-response':
      return changed(frame, { ...headersOf(frame.headers, parts), ...bodyOf(frame, parts) });
    case 'sse': {
      const { data } = frame.sse;
      const fields = eventFieldsOf(frame.sse, parts);
      return changed(frame, { sse: changed(fields, data === undefined ? {} : { data: parts.url(data) }) });
    }
    case 'comment':
      return changed(frame, { text: parts.text(frame.text) });
    case 'authorization':
      return changed(frame, { json: parts.json(frame.json) });
    default:
      return frame;
  }
}

/** Redacts a message. Most messages have no headers, no event and no secrets. */
function messageOf(frame: MessageFrame, parts: Parts): MessageFrame {
  const json = parts.json(frame.json);
  if (frame.headers === undefined && frame.sse === undefined) return json === frame.json ? frame : { ...frame, json };
  return changed(frame, { json, ...besideOf(frame, parts) });
}

/** Redacts what HTTP has beside a message or a line. */
function besideOf({ headers, sse }: Carried, parts: Parts): Carried {
  return { ...headersOf(headers, parts), ...(sse !== undefined && { sse: eventFieldsOf(sse, parts) }) };
}

interface Carried {
  headers?: Headers;
  sse?: SseFields;
}

/** Event names of the specifications, which are no secrets: clients do not know another one. */
const EVENT_NAMES: ReadonlySet<string | undefined> = new Set(['message', 'endpoint', undefined]);

/**
 * Redacts the id and the name of an event. A client repeats the id as `Last-Event-ID`, with the same placeholder
 * (`resumes`).
 */
function eventFieldsOf<T extends SseFields>(sse: T, parts: Parts): T {
  const { id, event } = sse;
  return changed<SseFields>(sse, {
    ...(id !== undefined && { id: parts.eventField(id) }),
    ...(!EVENT_NAMES.has(event) && { event: parts.eventField(event!) }),
  }) as T;
}

function dataOf({ data, headers }: LineFrame, parts: Parts): string | Uint8Array {
  return typeof data === 'string' ? parts.text(data) : parts.bytes(data, encodingOf(headers));
}

/** Redacts a body. It may be a form, with fields like a URL's query. */
function bodyOf({ body, headers }: FrameWithBody, parts: Parts): { body?: string | Uint8Array } {
  if (body === undefined) return {};
  return { body: typeof body === 'string' ? parts.url(body) : parts.bytes(body, encodingOf(headers)) };
}

interface FrameWithBody {
  body?: string | Uint8Array;
  headers?: Headers;
}

function encodingOf(headers: Headers = {}): string | undefined {
  const name = Object.keys(headers).find((one) => one.toLowerCase() === 'content-encoding');
  return name === undefined ? undefined : headers[name];
}

function headersOf(headers: Headers | undefined, parts: Parts): { headers?: Headers } {
  if (headers === undefined) return {};
  const redacted = Object.entries(headers).map(([name, value]) => [name, parts.header(name, value)] as const);
  return { headers: changed(headers, Object.fromEntries(redacted)) };
}

/** Returns `object` with changed fields. Equal fields return the same object. */
function changed<T extends object>(object: T, fields: Partial<T>): T {
  const isSame = Object.entries(fields).every(([key, value]) => object[key as keyof T] === value);
  return isSame ? object : { ...object, ...fields };
}
