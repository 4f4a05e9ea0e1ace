/**
 * One speaker at a time: while somebody holds the floor, what the others say waits, in order. A line too long for memory
 * is written to the tape in pieces as it passes, and nothing may come between them.
 */
export class Turns {
  #holder: object | undefined;
  #waiting: Array<{ speaker: object; speak: () => void }> = [];

  /** Speaks now if the floor is free or already `speaker`'s, else as soon as it is. */
  take(speaker: object, speak: () => void): void {
    if (this.isFree(speaker)) speak();
    else this.#waiting.push({ speaker, speak });
  }

  isFree(speaker: object): boolean {
    return this.#holder === undefined || this.#holder === speaker;
  }

  hold(speaker: object): void {
    this.#holder = speaker;
  }

  release(): void {
    this.#holder = undefined;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { speaker, speak } of waiting) this.take(speaker, speak);
  }
}
