import { locate } from '../protocol/json-scan.ts';
import { isJson, JsonText } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import { badInput, type Input } from './converter-types.ts';

/** JSON object on a separate line. */
export interface NdjsonLine {
  /** Line number, from 1. */
  line: number;
  value: Record<string, unknown>;
  /**
   * Returns a member with its original spelling, so that numbers and the order of keys are kept. Undefined: it is
   * absent.
   */
  member(name: string): JsonText | undefined;
  /** JSON text of the line. */
  json: JsonText;
}

/**
 * Returns the objects of a file with one per line. Blank lines are skipped. A truncated last line is added to `lost`.
 * @throws McpRecordError CONVERT_BAD_INPUT
 */
export function readNdjson(input: Input, lost: string[]): NdjsonLine[] {
  const lines = input.text.split(/\r?\n/);
  return lines.flatMap((text, index) => {
    if (text.trim() === '') return [];
    const json = new JsonText(text);
    const value = isJson(json) ? json.value : undefined;
    if (isObject(value)) return [{ line: index + 1, value, json, member: (name) => memberOf(text, name) }];
    if (index === lines.length - 1) {
      lost.push(`The last line of ${input.file}, which was cut off.`);
      return [];
    }
    throw badInput(input, 'the line holds no JSON object', index + 1);
  });
}

/** Returns a member of the JSON object in `text`, with its original spelling. */
export function memberOf(text: string, ...path: (string | number)[]): JsonText | undefined {
  const span = locate(text, path);
  return span && new JsonText(text.slice(span.start, span.end));
}
