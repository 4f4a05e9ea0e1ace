import type { LoadCounts } from './load-stats.ts';

const SHOWN = ['sessions', 'answers', 'failed'] as const;

/** Counts that are shown while a load goes on. */
export type ShownCounts = Pick<LoadCounts, (typeof SHOWN)[number]>;

/** Sessions and counts of all workers of a load so far, in memory that their threads share. */
export class LoadProgress {
  readonly memory: SharedArrayBuffer;
  /** Number of started sessions. */
  readonly #started: Int32Array;
  readonly #counts: Int32Array;

  /** @param memory that of another thread, or the number of workers */
  constructor(memory: SharedArrayBuffer | number) {
    this.memory =
      typeof memory === 'number'
        ? new SharedArrayBuffer((1 + memory * SHOWN.length) * Int32Array.BYTES_PER_ELEMENT)
        : memory;
    this.#started = new Int32Array(this.memory, 0, 1);
    this.#counts = new Int32Array(this.memory, Int32Array.BYTES_PER_ELEMENT);
  }

  /** Returns the number of the next session, from 1. */
  startSession(): number {
    return Atomics.add(this.#started, 0, 1) + 1;
  }

  /** Replaces the counts of a worker. */
  update(worker: number, counts: ShownCounts): void {
    for (const [at, name] of SHOWN.entries()) Atomics.store(this.#counts, worker * SHOWN.length + at, counts[name]);
  }

  /** Returns the counts of all workers together. */
  total(): ShownCounts {
    const total: ShownCounts = { sessions: 0, answers: 0, failed: 0 };
    for (let at = 0; at < this.#counts.length; at++) {
      total[SHOWN[at % SHOWN.length]!] += Atomics.load(this.#counts, at);
    }
    return total;
  }
}
