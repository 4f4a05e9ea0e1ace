import { isJson, JsonText } from '../protocol/json-text.ts';
import { type LineFrame, type MessageFrame, messageFrame } from './frame.ts';
import { isHttpErrorBody } from './non-rpc-error-body.ts';

/** Converts a line with a JSON object or array into a message frame. Other lines are returned unchanged. */
export function lineToMessage(line: LineFrame): MessageFrame | LineFrame {
  if (line.on !== 'protocol' || typeof line.data !== 'string') return line;
  const json = messageIn(line.data);
  return json === undefined ? line : messageFrame(json, line, line.at, line.stream);
}

/**
 * Converts the body of an HTTP message, as {@link lineToMessage}. Its byte order mark is no part of the text (RFC 8259,
 * 8.1). The body of an HTTP error without JSON-RPC belongs to HTTP, and is returned unchanged.
 */
export function bodyToMessage(body: LineFrame): MessageFrame | LineFrame {
  const { data } = body;
  const frame = lineToMessage(typeof data === 'string' ? { ...body, data: withoutMark(data) } : body);
  return frame.kind === 'message' && !isHttpErrorBody(frame) ? frame : body;
}

/** Removes the byte order mark of a body, as `Response.json()` and the parsers of servers do. */
export function withoutMark(text: string): string {
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** Parses a text as a message or batch. Undefined: it is neither. */
export function messageIn(text: string): JsonText | undefined {
  if (!OPENS_CONTAINER.test(text)) return undefined;
  const json = new JsonText(text);
  return isJson(json) ? json : undefined;
}

/** White space of JSON (RFC 8259, 2), and the beginning of an object or array. */
const OPENS_CONTAINER = /^[ \t\r\n]*[{[]/;
