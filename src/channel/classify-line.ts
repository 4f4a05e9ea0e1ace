import { JsonText } from '../protocol/json-text.ts';
import { type LineFrame, type MessageFrame, messageFrame } from './frame.ts';

/** A line that holds a JSON object or array is a message (or a batch); any other line stays noise. */
export function classifyLine(line: LineFrame): MessageFrame | LineFrame {
  if (line.on !== 'protocol' || typeof line.data !== 'string') return line;
  const json = messageIn(line.data);
  return json === undefined ? line : messageFrame(json, line, line.at, line.stream);
}

/** Parses a text as a message or batch; undefined if it is neither. */
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
