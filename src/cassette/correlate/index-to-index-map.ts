/** Map from indexes to indexes, like `Map`. */
export interface IndexMap extends Iterable<[at: number, other: number]> {
  get(at: number): number | undefined;
  has(at: number): boolean;
  set(at: number, other: number): void;
  keys(): Iterable<number>;
}

const NONE = -1;

/** Index map for dense indexes. A `Map` of this size costs several times as much to build and read. */
export class IndexTable implements IndexMap {
  #others: Int32Array;

  /** Creates a map with room for positions below `length`. It grows when a later position is set. */
  constructor(length = 0) {
    this.#others = new Int32Array(length).fill(NONE);
  }

  get(at: number): number | undefined {
    if (at < 0 || at >= this.#others.length) return undefined;
    const other = this.#others[at]!;
    return other === NONE ? undefined : other;
  }

  has(at: number): boolean {
    return this.get(at) !== undefined;
  }

  set(at: number, other: number): void {
    if (at >= this.#others.length) this.#grow(at + 1);
    this.#others[at] = other;
  }

  #grow(length: number): void {
    const others = this.#others;
    this.#others = new Int32Array(Math.max(length, 2 * others.length)).fill(NONE, others.length);
    this.#others.set(others);
  }

  *keys(): Generator<number> {
    for (const [at] of this) yield at;
  }

  /** Yields the pairs in order of position. */
  *[Symbol.iterator](): Generator<[at: number, other: number]> {
    for (const [at, other] of this.#others.entries()) if (other !== NONE) yield [at, other];
  }
}
