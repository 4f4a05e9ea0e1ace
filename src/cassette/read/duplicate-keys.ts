/**
 * Detector of duplicate keys in the open mappings, innermost last. Small mappings compare keys, which is faster than
 * hashing; nearly all mappings are small.
 */
export class DuplicateKeys {
  /** Keys of the open mappings: the first `#count` items. Later items are left from closed mappings. */
  readonly #keys: string[] = [];
  #count = 0;
  #sets: Map<number, Set<string>> | undefined;

  /** Opens a mapping. Returns a mark to pass to `add` and `close`. */
  open(): number {
    return this.#count;
  }

  /** Adds a key. False: the mapping opened at `mark` already has this key. */
  add(key: string, mark: number): boolean {
    const keys = this.#keys;
    if (this.#count - mark >= COMPARED_MAX) {
      this.#sets ??= new Map();
      const seen = this.#sets.get(mark) ?? new Set(keys.slice(mark, this.#count));
      if (seen.has(key)) return false;
      this.#sets.set(mark, seen.add(key));
    } else {
      for (let i = this.#count - 1; i >= mark; i--) if (keys[i] === key) return false;
    }
    keys[this.#count++] = key;
    return true;
  }

  close(mark: number): void {
    if (this.#count - mark > COMPARED_MAX) this.#sets?.delete(mark);
    this.#count = mark;
  }

  /** Closes all mappings. */
  clear(): void {
    this.#count = 0;
    this.#sets = undefined;
  }
}

const COMPARED_MAX = 32;
