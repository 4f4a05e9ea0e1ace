import { locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import { badInput, type Input } from './converted-session.ts';

/** An object on a line of its own. */
export interface NdjsonLine {
  /** From 1. */
  line: number;
  value: Record<string, unknown>;
  /** A member as it is spelt, so that numbers and the order of keys stay. Absent: there is none. */
  member(name: string): JsonText | undefined;
  /** The whole line. */
  json: JsonText;
}

/**
 * The objects of a file that has one on each line. Blank lines are passed over; a last line that was cut off is `lost`.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function readNdjson(input: Input, lost: string[]): NdjsonLine[] {
  const lines = input.text.split(/\r?\n/);
  return lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const json = new JsonText(text);
    const value = parsed(json);
    if (isObject(value)) return [{ line: index + 1, value, json, member: (name) => memberOf(text, name) }];
    if (index === lines.length - 1) {
      lost.push(`The last line of ${input.file}, which was cut off.`);
      return [];
    }
    throw badInput(input, 'the line holds no JSON object', index + 1);
  });
}

function parsed(json: JsonText): unknown {
  try {
    return json.value;
  } catch {
    return undefined;
  }
}

/** Returns a member of the JSON object in `text`, with its spelling. */
export function memberOf(text: string, ...path: (string | number)[]): JsonText | undefined {
  const span = locate(text, path);
  return span && new JsonText(text.slice(span.start, span.end));
}
