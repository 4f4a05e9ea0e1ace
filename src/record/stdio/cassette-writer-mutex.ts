/** Owner of a write lock. */
export interface WriterTurn {
  /**
   * Called when another speaker waits. An owner that expects no more data writes its rest immediately, and releases the
   * lock.
   */
  hurry(): void;
}

/**
 * Lock that orders the writers of a cassette. While one holds it, others queue. A line too long for memory is written
 * in pieces, and no event may interrupt it. A holder without further data finishes immediately on request.
 */
export class CassetteWriterMutex {
  #holder: WriterTurn | undefined;
  #waiting: Array<{ speaker: object; speak: () => void }> = [];

  /** Calls `speak` with the lock: immediately if it is free or held by `speaker`, otherwise after its release. */
  take(speaker: object, speak: () => void): void {
    if (!this.isFree(speaker)) this.hurry();
    if (this.isFree(speaker)) speak();
    else this.#waiting.push({ speaker, speak });
  }

  isFree(speaker: object): boolean {
    return this.#holder === undefined || this.#holder === speaker;
  }

  /** Whether a writer waits because the holder was unable to finish. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Asks the holder to finish immediately, if it can. */
  hurry(): void {
    this.#holder?.hurry();
  }

  /** Gives the lock to `speaker` until `release`. The previous holder is asked to finish first. */
  hold(speaker: WriterTurn): void {
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
