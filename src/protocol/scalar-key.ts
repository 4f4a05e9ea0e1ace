import { type JsonPath, locate } from './json-scan.ts';
import type { JsonText } from './json-text.ts';
import { isObject } from './message.ts';

/**
 * The JSON token of the id, token or other scalar at `path`, as one string that is equal for equal values only:
 * `1` and `"1"` differ (JSON-RPC: a response id equals its request's including type), and integers past 2^53, which
 * parsing would merge, are compared by their digits. Undefined where there is nothing, or an object, list or null.
 */
export function scalarKeyAt(json: JsonText, path: JsonPath): string | undefined {
  let value = json.value;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isObject(value) ? value[step] : undefined;
  }
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return String(value);
  const span = locate(json.text, path);
  return span && json.text.slice(span.start, span.end);
}
