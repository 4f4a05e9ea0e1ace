import { type JsonPath, locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';

/** Returns the message with another JSON text in the place of the value at `path`, which it must have. */
export function withTextAt({ text }: JsonText, path: JsonPath, value: string): JsonText {
  const { start, end } = locate(text, path)!;
  return new JsonText(text.slice(0, start) + value + text.slice(end));
}
