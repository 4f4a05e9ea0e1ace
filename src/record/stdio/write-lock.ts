/** Who holds the floor. */
export interface LockHolder {
  /** Somebody else wants to speak: whoever has nothing more to hear says the rest at once, and releases the floor. */
  hurry(): void;
}

/**
 * One speaker at a time: while somebody holds the floor, what the others say waits, in order. A line too long for memory
 * is written to the cassette in pieces as it passes, and nothing may come between them. Nobody waits for a holder who could end.
 */
export class WriteLock {
  #holder: LockHolder | undefined;
  #waiting: Array<{ speaker: object; speak: () => void }> = [];

  /** Speaks now if the floor is free or already `speaker`'s, else as soon as it is. */
  take(speaker: object, speak: () => void): void {
    if (!this.isFree(speaker)) this.hurry();
    if (this.isFree(speaker)) speak();
    else this.#waiting.push({ speaker, speak });
  }

  isFree(speaker: object): boolean {
    return this.#holder === undefined || this.#holder === speaker;
  }

  /** Whether somebody waits, who came while the holder could not end. */
  get isAwaited(): boolean {
    return this.#waiting.length > 0;
  }

  /** Lets whoever holds the floor, and could end, end now. */
  hurry(): void {
    this.#holder?.hurry();
  }

  /** `speaker`, whose turn it is, keeps the floor until it is released. What it held it for before ends first. */
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
