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
export function cachedString(bytes: Buffer, start: number, end: number): string {
  if (end - start > LENGTH_MAX) return bytes.toString('latin1', start, end);
  let digest = end - start;
  for (let at = start; at < end; at++) digest = (digest * 31 + bytes[at]!) | 0;
  const place = digest & (KEPT - 1);
  const found = kept[place]!;
  if (isAt(found, bytes, start, end)) return found;
  const name = bytes.toString('latin1', start, end);
  kept[place] = name;
  return name;
}

function isAt(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = start, n = 0; at < end; at++, n++) if (name.charCodeAt(n) !== bytes[at]) return false;
  return true;
}
