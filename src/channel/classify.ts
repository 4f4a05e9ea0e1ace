import { JsonText } from '../protocol/json-text.ts';
import type { MessageFrame, NoiseFrame } from './frame.ts';

/** A line that holds a JSON object or array is a message (or a batch); any other line stays noise. */
export function classify(line: NoiseFrame): MessageFrame | NoiseFrame {
  if (line.on !== 'protocol' || typeof line.data !== 'string' || !OPENS_CONTAINER.test(line.data))
    return line;
  const json = new JsonText(line.data);
  try {
    void json.value;
  } catch {
    return line;
  }
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

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
