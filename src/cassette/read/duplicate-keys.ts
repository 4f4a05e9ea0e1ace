/**
 * Tells a repeated key among those of the mappings being read, innermost last. Comparing beats hashing while a
 * mapping is small, and nearly all are.
 */
export class DuplicateKeys {
  /** The first `#count` are meant; what follows is left from mappings that have ended. */
  readonly #keys: string[] = [];
  #count = 0;
  #sets: Map<number, Set<string>> | undefined;

  /** Begins a mapping; the mark ends it. */
  open(): number {
    return this.#count;
  }

  /** False: the mapping that opened at `mark` has this key already. */
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

  /** Forgets all mappings, also those that have not ended. */
  clear(): void {
    this.#count = 0;
    this.#sets = undefined;
  }
}

const COMPARED_MAX = 32;
