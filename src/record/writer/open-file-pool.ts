import { isOutOfFiles } from '../../kernel/errors.ts';

/** A cassette writer whose file can be closed for a while. */
export interface Suspendable {
  /** Must not throw. */
  park(): void;
}

/** As many cassettes have their files open at once. */
const OPEN_MAX = 1000;

/**
 * The cassettes whose files are open. Beyond so many, and where the system allows no more, the one that was written to least
 * recently closes its file until it is written to again: sessions are not counted by what may be open at once.
 */
export class OpenFilePool {
  readonly #max: number;
  /** Least recently used first. */
  readonly #open = new Set<Suspendable>();
  #latest: Suspendable | undefined;

  constructor(max: number = OPEN_MAX) {
    this.#max = max;
  }

  /** The file of `cassette` is open, and used now. */
  use(cassette: Suspendable): void {
    if (cassette === this.#latest) return;
    this.#latest = cassette;
    this.#open.delete(cassette);
    this.#open.add(cassette);
    if (this.#open.size > this.#max) this.#parkOne();
  }

  /** The file of `cassette` is closed. */
  forget(cassette: Suspendable): void {
    this.#open.delete(cassette);
    if (cassette === this.#latest) this.#latest = undefined;
  }

  /** Does what opens a file: again with one more parked, as long as the system allows no more. Throws what `task` throws. */
  making<T>(task: () => T): T {
    for (;;) {
      try {
        return task();
      } catch (error) {
        if (!isOutOfFiles(error) || !this.#parkOne()) throw error;
      }
    }
  }

  #parkOne(): boolean {
    for (const cassette of this.#open) {
      this.forget(cassette);
      cassette.park();
      return true;
    }
    return false;
  }
}
