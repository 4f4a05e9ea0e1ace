import { type JsonPath, locate } from '../protocol/json-scan.ts';
import { JsonText } from '../protocol/json-text.ts';

/** Replaces the value at `path` by other JSON text. The value must exist. */
export function withTextAt({ text }: JsonText, path: JsonPath, value: string): JsonText {
  const { start, end } = locate(text, path)!;
  return new JsonText(text.slice(0, start) + value + text.slice(end));
}
