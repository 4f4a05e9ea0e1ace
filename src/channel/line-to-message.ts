import { isJson, JsonText } from '../protocol/json-text.ts';
import { type LineFrame, type MessageFrame, messageFrame } from './frame.ts';

/** Converts a line with a JSON object or array into a message frame. Other lines are returned unchanged. */
export function lineToMessage(line: LineFrame): MessageFrame | LineFrame {
  if (line.on !== 'protocol' || typeof line.data !== 'string') return line;
  const json = messageIn(line.data);
  return json === undefined ? line : messageFrame(json, line, line.at, line.stream);
}

/** Parses a text as a message or batch. Undefined: it is neither. */
export function messageIn(text: string): JsonText | undefined {
  if (!OPENS_CONTAINER.test(text)) return undefined;
  const json = new JsonText(text);
  return isJson(json) ? json : undefined;
}

const OPENS_CONTAINER = /^[ \t\r]*[{[]/;
