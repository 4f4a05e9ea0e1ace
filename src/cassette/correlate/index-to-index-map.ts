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
  readonly #others: Int32Array;

  /** Creates a map for positions below `length`. */
  constructor(length: number) {
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
    this.#others[at] = other;
  }

  *keys(): Generator<number> {
    for (const [at] of this) yield at;
  }

  /** Yields the pairs in order of position. */
  *[Symbol.iterator](): Generator<[at: number, other: number]> {
    for (const [at, other] of this.#others.entries()) if (other !== NONE) yield [at, other];
  }
}
