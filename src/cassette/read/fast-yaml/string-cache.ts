import { type Bytes, isAscii, latin1Text, utf8Text } from '../../../kernel/platform/bytes.ts';

/** Number of cached strings, a power of two. */
const KEPT = 512;

/** Maximum length of a cached string, so that the cache keeps little of a hostile cassette. */
const LENGTH_MAX = 64;

/** Recurring strings, such as keys, each at the place of its digest. All cassettes share them. */
const kept: string[] = Array.from({ length: KEPT }, () => '');

/**
 * Returns the string of the ASCII bytes from `start` to `end`. A lookup of a cached string costs a fraction of creating
 * it.
 */
export function cachedString(bytes: Bytes, start: number, end: number): string {
  if (end - start > LENGTH_MAX) return latin1Text(bytes, start, end);
  let digest = end - start;
  for (let at = start; at < end; at++) digest = (digest * 31 + bytes[at]!) | 0;
  const place = digest & (KEPT - 1);
  const found = kept[place]!;
  if (isAt(found, bytes, start, end)) return found;
  const name = latin1Text(bytes, start, end);
  kept[place] = name;
  return name;
}

function isAt(name: string, bytes: Bytes, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = start, n = 0; at < end; at++, n++) if (name.charCodeAt(n) !== bytes[at]) return false;
  return true;
}

/** Minimum length from which checking for ASCII and copying is faster than decoding UTF-8. */
const LONG_LENGTH_MIN = 1024;

/** Returns the text of UTF-8 from `start` to `end`. */
export function textOf(bytes: Bytes, start: number, end: number): string {
  const isLatin = end - start > LONG_LENGTH_MIN && isAscii(bytes.subarray(start, end));
  return isLatin ? latin1Text(bytes, start, end) : utf8Text(bytes, start, end);
}
