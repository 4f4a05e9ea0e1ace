/** First-in, first-out queue of bytes, in memory that is allocated once, on demand. */
export class BoundedByteQueue {
  readonly #size: number;
  #memory: Uint8Array | undefined;
  /** Offset of the first queued byte, followed by the number of queued bytes. */
  #start = 0;
  #length = 0;

  constructor(size: number) {
    this.#size = size;
  }

  get length(): number {
    return this.#length;
  }

  /** Copies as many bytes of `data` as fit. Returns their number. */
  add(data: Uint8Array): number {
    this.#memory ??= new Uint8Array(this.#size);
    const count = Math.min(data.length, this.#size - this.#length);
    const at = (this.#start + this.#length) % this.#size;
    const first = Math.min(count, this.#size - at);
    this.#memory.set(data.subarray(0, first), at);
    this.#memory.set(data.subarray(first, count), 0);
    this.#length += count;
    return count;
  }

  /** Removes and returns up to `count` contiguous bytes. They are valid until the next `add`. */
  take(count: number): Uint8Array {
    const taken = Math.min(count, this.#length, this.#size - this.#start);
    const data = this.#memory!.subarray(this.#start, this.#start + taken);
    this.#start = (this.#start + taken) % this.#size;
    this.#length -= taken;
    return data;
  }
}
