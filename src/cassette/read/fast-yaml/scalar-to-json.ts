import { literalEnd, stringEnd } from '../../../protocol/json-scan.ts';
import { isHidden, isPlain } from '../../write/plain-scalar.ts';

/** Returns the JSON text of a single-line scalar. Undefined: the cassette writer would not write this scalar. */
export function scalarToJson(source: string): string | undefined {
  switch (source[0]) {
    case '"':
      return doubleQuotedToJson(source);
    case "'":
      return singleQuotedToJson(source);
    case '{':
      return source === '{}' ? source : undefined;
    case '[':
      return source === '[]' ? source : undefined;
    default:
      if (literalEnd(source, 0) === source.length) return source;
      return isPlain(source) ? plainToJson(source) : undefined;
  }
}

/** Converts a double-quoted scalar. Its escapes restore unprintable characters. */
function doubleQuotedToJson(source: string): string | undefined {
  if (stringEnd(source, 0) !== source.length || isHidden(source)) return undefined;
  if (!source.includes('\\')) return source;
  try {
    return JSON.stringify(JSON.parse(source));
  } catch {
    return undefined;
  }
}

function singleQuotedToJson(source: string): string | undefined {
  if (singleQuotedEnd(source, 0) !== source.length || isHidden(source)) return undefined;
  return JSON.stringify(source.slice(1, -1).replaceAll("''", "'"));
}

/** Returns the offset after the single-quoted scalar at `at`. -1: it has no end. Two single quotes stand for one. */
export function singleQuotedEnd(text: string, at: number): number {
  let quote = text.indexOf("'", at + 1);
  while (quote >= 0 && text[quote + 1] === "'") quote = text.indexOf("'", quote + 2);
  return quote < 0 ? -1 : quote + 1;
}

function plainToJson(source: string): string {
  return source.includes('"') || source.includes('\\') ? JSON.stringify(source) : `"${source}"`;
}
