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
  const { kind, on, data, partial, ...rest } = line;
  return { kind: 'message', ...rest, json };
}

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
