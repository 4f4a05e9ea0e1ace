/** How many bodies of the maximum length all exchanges may hold together. */
export const FULL_BODIES_MAX = 4;

/** What made a body too long: its own limit, or that of all bodies that are held together. */
export type CutReason = 'itself' | 'together';

/** Part of a {@link BodyMemory} that one holder has: a body, an event or what waits of an exchange. */
export interface BodyShare {
  /** States how many bytes the holder has now. The holder itself, or others, may have to give up theirs. */
  hold(bytes: number): void;
}

/**
 * Memory for everything that exchanges hold of bodies at the same time. Peers need not finish a body, so all together have
 * a limit. Beyond it, the largest share gives way: whoever sends ordinary messages beside huge ones is not affected.
 */
export class BodyMemory {
  /** Maximum of all shares together, in bytes. */
  readonly bytesMax: number;
  /** Shares that are not empty. */
  readonly #shares = new Map<() => number, number>();
  #held = 0;

  /** @param bodyMax maximum length of one body, in bytes */
  constructor(bodyMax: number) {
    this.bytesMax = FULL_BODIES_MAX * bodyMax;
  }

  /** Number of bytes that all shares hold. */
  get held(): number {
    return this.#held;
  }

  /** Adds an empty share. `giveUp` frees some of its bytes, and returns how many are left. */
  share(giveUp: () => number): BodyShare {
    return { hold: (bytes) => this.#hold(giveUp, bytes) };
  }

  #hold(giveUp: () => number, bytes: number): void {
    this.#set(giveUp, bytes);
    while (this.#held > this.bytesMax) {
      const largest = this.#largest(giveUp);
      const before = this.#shares.get(largest) ?? 0;
      // What the holder hands on meanwhile is counted for whoever takes it.
      this.#set(largest, 0);
      const left = largest();
      this.#set(largest, left < before ? left : 0);
    }
  }

  #set(share: () => number, bytes: number): void {
    this.#held += bytes - (this.#shares.get(share) ?? 0);
    if (bytes > 0) this.#shares.set(share, bytes);
    else this.#shares.delete(share);
  }

  /** Returns the largest share. Of equal ones, the one that has just grown. */
  #largest(grown: () => number): () => number {
    let largest = grown;
    let most = this.#shares.get(grown) ?? 0;
    for (const [share, bytes] of this.#shares) {
      if (bytes <= most) continue;
      largest = share;
      most = bytes;
    }
    return largest;
  }
}
