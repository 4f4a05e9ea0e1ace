import { isOutOfFiles } from '../../kernel/errors.ts';

/** Cassette writer whose file can be closed temporarily. */
export interface Suspendable {
  /** Closes the file until the next write. Must not throw errors. */
  park(): void;
}

/** Maximum number of open files. */
const OPEN_MAX = 1000;

/**
 * Pool of open cassette files. At the limit, or when the system allows no more open files, the least recently written
 * cassette closes its file until its next write. The number of sessions is therefore not limited by open files.
 */
export class OpenFilePool {
  readonly #max: number;
  /** Open cassettes, least recently used first. */
  readonly #open = new Set<Suspendable>();
  #latest: Suspendable | undefined;

  constructor(max: number = OPEN_MAX) {
    this.#max = max;
  }

  /** Marks the open file of a cassette as used now. */
  use(cassette: Suspendable): void {
    if (cassette === this.#latest) return;
    this.#latest = cassette;
    this.#open.delete(cassette);
    this.#open.add(cassette);
    if (this.#open.size > this.#max) this.#parkOne();
  }

  /** Removes a cassette whose file was closed. */
  forget(cassette: Suspendable): void {
    this.#open.delete(cassette);
    if (cassette === this.#latest) this.#latest = undefined;
  }

  /**
   * Runs a task that opens a file. If the system allows no more open files, another file is closed and the task is
   * retried. Throws the task's errors.
   */
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
