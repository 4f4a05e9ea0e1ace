import { type JsonPath, locate } from './json-scan.ts';
import type { JsonText } from './json-text.ts';
import { isObject } from './message.ts';

/**
 * Returns a key for the scalar at `path`, such as an id or a progress token. Equal values have equal keys. `1` and
 * `"1"` differ, because a response id has the type of its request's id (JSON-RPC). Integers past 2^53 are compared by
 * their digits, because parsing would merge them. Undefined: the value is absent, null, an object or a list.
 */
export function scalarKeyAt(json: JsonText, path: JsonPath): string | undefined {
  const value = valueAt(json.value, path);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'number') return undefined;
  if (Number.isSafeInteger(value)) return String(value);
  const span = locate(json.text, path);
  return span && json.text.slice(span.start, span.end);
}

/** Returns the value at a path. Undefined: there is none. */
export function valueAt(root: unknown, path: JsonPath): unknown {
  let value = root;
  for (const step of path) {
    if (typeof step === 'number') value = Array.isArray(value) ? value[step] : undefined;
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  }
  return value;
}
