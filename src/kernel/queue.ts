/** From so many that were taken on, their places are given back. */
const TAKEN_MAX = 1_000;

/**
 * First in, first out, at the same cost however many wait: `Array.prototype.shift` moves all the others, from some
 * sixteen thousand on.
 */
export class Queue<T> {
  #items: T[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  /** Who is next. */
  get first(): T | undefined {
    return this.#items[this.#taken];
  }

  /** Who came last. */
  get last(): T | undefined {
    return this.size === 0 ? undefined : this.#items.at(-1);
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Takes out who is next. */
  take(): T | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#taken++];
    if (this.#taken >= TAKEN_MAX && this.#taken * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#taken);
      this.#taken = 0;
    }
    return item;
  }
}
