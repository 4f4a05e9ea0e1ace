import { type Placeholder, placeholdersIn } from '../replace/placeholder-format.ts';
import { base64Runs, decodeBase64 } from './base64.ts';
import { decodeHex, hexRuns } from './hex.ts';
import { opensAsUtf16 } from './redact-encoded-run.ts';

/** Maximum number of nested encodings to decode. */
const DEPTH_MAX = 3;

/** Returns all placeholders of a text: plain ones, and ones encoded in base64 or hexadecimal. */
export function allPlaceholdersIn(text: string): Pick<Placeholder, 'name' | 'n'>[] {
  return [...placeholdersIn(text), ...findEncodedPlaceholders(text)];
}

/** Returns the placeholders inside the base64 and hexadecimal runs of a text, which redaction has encoded again. */
export function findEncodedPlaceholders(text: string, depth: number = DEPTH_MAX): Pick<Placeholder, 'name' | 'n'>[] {
  const runs = base64Runs(text);
  if (runs.length === 0 || depth === 0) return [];
  const decoded = [
    ...runs.flatMap(({ start, end }) => segmentsOf(text.slice(start, end)).map(decodeBase64)),
    ...hexRuns(text, runs).map(({ start, end }) => decodeHex(text.slice(start, end))),
  ];
  return decoded.flatMap((bytes) => {
    const inner = bytes.toString(opensAsUtf16(bytes) ? 'utf16le' : 'latin1');
    return [...placeholdersIn(inner), ...findEncodedPlaceholders(inner, depth - 1)];
  });
}

/** Returns a run, and also its segments if slashes make it a possible path. */
function segmentsOf(run: string): string[] {
  return run.includes('/') ? [run, ...run.split('/')] : [run];
}
