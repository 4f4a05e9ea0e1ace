/** Number of taken items from which their array slots are freed. */
const TAKEN_MAX = 1_000;

/**
 * First-in, first-out queue with a constant cost per item. `Array.prototype.shift` moves all other items of an array
 * from about sixteen thousand on.
 */
export class Queue<T> {
  #items: T[] = [];
  #taken = 0;

  get size(): number {
    return this.#items.length - this.#taken;
  }

  /** The oldest item. */
  get first(): T | undefined {
    return this.#items[this.#taken];
  }

  /** The newest item. */
  get last(): T | undefined {
    return this.size === 0 ? undefined : this.#items.at(-1);
  }

  add(item: T): void {
    this.#items.push(item);
  }

  /** Removes and returns the oldest item. */
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

/**
 * Returns the first position below `count` for which `isPast` holds, by binary search; `count` if there is none.
 * `isPast` must hold for all later positions, too.
 */
export function firstWhere(count: number, isPast: (position: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
