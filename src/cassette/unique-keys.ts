/**
 * Tells a repeated key among those of the mappings being read, innermost last. Comparing beats hashing while a
 * mapping is small, and nearly all are.
 */
export class UniqueKeys {
  #keys: string[] = [];
  #sets = new Map<number, Set<string>>();

  /** Begins a mapping; the mark ends it. */
  open(): number {
    return this.#keys.length;
  }

  /** False: the mapping that opened at `mark` has this key already. */
  add(key: string, mark: number): boolean {
    const keys = this.#keys;
    if (keys.length - mark >= COMPARED_MAX) {
      const seen = this.#sets.get(mark) ?? new Set(keys.slice(mark));
      if (seen.has(key)) return false;
      this.#sets.set(mark, seen.add(key));
    } else {
      for (let i = keys.length - 1; i >= mark; i--) if (keys[i] === key) return false;
    }
    keys.push(key);
    return true;
  }

  close(mark: number): void {
    if (this.#keys.length - mark > COMPARED_MAX) this.#sets.delete(mark);
    this.#keys.length = mark;
  }
}

const COMPARED_MAX = 32;
