import { stringEnd } from '../../../protocol/json-scan.ts';
import { scalarToJson, singleQuotedEnd } from './scalar-to-json.ts';

/** Returns the offset of the first key's colon in `line`. -1: the line has no key. */
export function keyEndOf(line: string): number {
  const end = scalarEnd(line);
  return end >= 0 && KEY_COLON.test(line.slice(end)) ? end : -1;
}

function scalarEnd(line: string): number {
  if (line.startsWith('"')) return stringEnd(line, 0);
  if (line.startsWith("'")) return singleQuotedEnd(line, 0);
  return line.search(KEY_COLON_INSIDE);
}

const KEY_COLON = /^:(?: |$)/;
const KEY_COLON_INSIDE = /:(?: |$)/;

/** Returns the JSON text of a key, without quotes. Undefined: the cassette writer would not write this key. */
export function keyToJson(source: string): string | undefined {
  const json = scalarToJson(source);
  return json?.startsWith('"') ? json.slice(1, -1) : undefined;
}
