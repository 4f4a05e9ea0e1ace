/** Owner of a write lock. */
export interface LockHolder {
  /** Called when another speaker waits. An owner that expects no more data writes its rest immediately, and releases the lock. */
  hurry(): void;
}

/**
 * Lock for writing to a cassette. While a speaker holds it, others queue in order. A line too long for memory is written in pieces, and no event may be
 * written between them. A holder that can finish is asked to do so at once.
 */
export class WriteLock {
  #holder: LockHolder | undefined;
  #waiting: Array<{ speaker: object; speak: () => void }> = [];

  /** Calls `speak` when the lock is free or held by `speaker`: immediately, or when it is released. */
  take(speaker: object, speak: () => void): void {
    if (!this.isFree(speaker)) this.hurry();
    if (this.isFree(speaker)) speak();
    else this.#waiting.push({ speaker, speak });
  }

  isFree(speaker: object): boolean {
    return this.#holder === undefined || this.#holder === speaker;
  }

  /** Whether a speaker is waiting for a holder that could not finish. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Asks the holder to finish immediately, if it can. */
  hurry(): void {
    this.#holder?.hurry();
  }

  /** Gives the lock to `speaker` until `release`. The previous holder is asked to finish first. */
  hold(speaker: LockHolder): void {
    this.hurry();
    this.#holder = speaker;
  }

  release(): void {
    this.#holder = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { speaker, speak } of waiting) this.take(speaker, speak);
  }
}
