/** Number of cached strings, one for each digest. A power of two. */
const KEPT = 512;

/** Strings of ASCII bytes that come again and again, as keys do: to find one costs a fraction of what making it does. */
export class StringCache {
  readonly #kept: string[] = Array.from({ length: KEPT }, () => '');

  /** What `bytes`, which are ASCII there, say from `start` up to `end`. */
  at(bytes: Buffer, start: number, end: number): string {
    let digest = end - start;
    for (let at = start; at < end; at++) digest = (digest * 31 + bytes[at]!) | 0;
    const place = digest & (KEPT - 1);
    const kept = this.#kept[place]!;
    if (isAt(kept, bytes, start, end)) return kept;
    const name = bytes.toString('latin1', start, end);
    this.#kept[place] = name;
    return name;
  }
}

function isAt(name: string, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = start, n = 0; at < end; at++, n++) if (name.charCodeAt(n) !== bytes[at]) return false;
  return true;
}
