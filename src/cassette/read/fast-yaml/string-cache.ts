/** Number of cached strings, a power of two. */
const KEPT = 512;

/** Cache of recurring ASCII strings, such as keys. A lookup costs a fraction of creating the string. */
export class StringCache {
  readonly #kept: string[] = Array.from({ length: KEPT }, () => '');

  /** Returns the string of the ASCII bytes from `start` to `end`. */
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
