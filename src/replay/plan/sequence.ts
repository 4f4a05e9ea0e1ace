import type { Milliseconds } from '../../kernel/clock.ts';

/** One frame that the played side sends, and what it waits for beside the earlier steps of its sequence. */
export interface PlanStep {
  entry: number;
  /** Entries of either side that must have happened in the live session. */
  needs: readonly number[];
  /** Longest wait for `needs` where they may never come. Absent: the scheduler decides. */
  maxWait?: Milliseconds;
  /** Sent once a session, at the latest before the next response of the cassette. */
  ambient: boolean;
  /** The cassette allows other causes, too. */
  guess: boolean;
  /** Why the step stands in this sequence, as text. */
  why: string;
}

/** Steps that keep their order. Sequences are independent of each other. */
export interface Sequence {
  /** The entry, of either side, that starts the sequence; undefined: the session's start. */
  trigger: number | undefined;
  steps: PlanStep[];
}

/** The sequences of a cassette by their trigger. An array: nearly every entry is a trigger, and a map costs several times as much. */
export class SequenceTable {
  readonly #opened: (Sequence[] | undefined)[];

  constructor(entries: number) {
    this.#opened = Array.from({ length: entries + 1 });
  }

  get(trigger: number | undefined): readonly Sequence[] | undefined {
    return this.#opened[indexOf(trigger)];
  }

  add(sequence: Sequence): void {
    const index = indexOf(sequence.trigger);
    const sequences = this.#opened[index];
    if (sequences) sequences.push(sequence);
    else this.#opened[index] = [sequence];
  }

  *[Symbol.iterator](): Generator<Sequence> {
    for (const sequences of this.#opened) if (sequences) yield* sequences;
  }
}

/** Returns the array index of a trigger. The session's start comes before the first entry. */
function indexOf(trigger: number | undefined): number {
  return trigger === undefined ? 0 : trigger + 1;
}
