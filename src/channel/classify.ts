import { JsonText } from '../protocol/json-text.ts';
import type { MessageFrame, NoiseFrame } from './frame.ts';

/** A line that holds a JSON object or array is a message (or a batch); any other line stays noise. */
export function classify(line: NoiseFrame): MessageFrame | NoiseFrame {
  if (line.on !== 'protocol' || typeof line.data !== 'string') return line;
  const json = messageIn(line.data);
  if (json === undefined) return line;
  const { at, from, stream, sse, status, headers, session } = line;
  const frame: MessageFrame = { kind: 'message', at, from, json };
  // One by one: to copy what is left of an object costs more than all the rest of this.
  if (stream !== undefined) frame.stream = stream;
  if (sse !== undefined) frame.sse = sse;
  if (status !== undefined) frame.status = status;
  if (headers !== undefined) frame.headers = headers;
  if (session !== undefined) frame.session = session;
  return frame;
}

/** The message, or batch of them, that a text is; undefined: it is none. */
export function messageIn(text: string): JsonText | undefined {
  if (!OPENS_CONTAINER.test(text)) return undefined;
  const json = new JsonText(text);
  try {
    void json.value;
    return json;
  } catch {
    return undefined;
  }
}

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
