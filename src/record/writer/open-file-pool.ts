import { isOutOfFiles } from '../../kernel/errors.ts';

/** A tape whose file can be closed for a while. */
export interface Parkable {
  /** Must not throw. */
  park(): void;
}

/** As many tapes have their files open at once. */
const OPEN_MAX = 1000;

/**
 * The tapes whose files are open. Beyond so many, and where the system allows no more, the one that was written to least
 * recently closes its file until it is written to again: sessions are not counted by what may be open at once.
 */
export class OpenTapes {
  readonly #max: number;
  /** Least recently used first. */
  readonly #open = new Set<Parkable>();
  #latest: Parkable | undefined;

  constructor(max: number = OPEN_MAX) {
    this.#max = max;
  }

  /** The file of `tape` is open, and used now. */
  use(tape: Parkable): void {
    if (tape === this.#latest) return;
    this.#latest = tape;
    this.#open.delete(tape);
    this.#open.add(tape);
    if (this.#open.size > this.#max) this.#parkOne();
  }

  /** The file of `tape` is closed. */
  forget(tape: Parkable): void {
    this.#open.delete(tape);
    if (tape === this.#latest) this.#latest = undefined;
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
    for (const tape of this.#open) {
      this.forget(tape);
      tape.park();
      return true;
    }
    return false;
  }
}
