import type { Milliseconds } from '../../kernel/clock.ts';

/** One frame of the played side, and the entries that it waits for in addition to earlier steps of its sequence. */
export interface PlanStep {
  entry: number;
  /** Entries of either side that must have happened in the live session. */
  needs: readonly number[];
  /** Maximum wait for `needs` that may never happen. Absent: the scheduler decides. */
  maxWait?: Milliseconds;
  /** Minimum time between the last of `needs` and the step. Absent: none. */
  pause?: Milliseconds;
  /** Whether the step is ambient: sent once per session, at the latest before the next recorded response. */
  ambient: boolean;
  /** Whether the cassette allows other causes. */
  guess: boolean;
  /** The reason for the step's place in this sequence, as text. */
  why: string;
}

/** Steps that keep their order. Sequences are independent of each other. */
export interface TriggeredSteps {
  /** The entry, of either side, that starts the sequence; undefined: the session's start. */
  trigger: number | undefined;
  steps: PlanStep[];
}

/**
 * Sequences of a cassette, by trigger. An array, because most entries are triggers and a map costs several times as
 * much.
 */
export class StepsByTrigger {
  readonly #opened: (TriggeredSteps[] | undefined)[];

  constructor(entries: number) {
    this.#opened = Array.from({ length: entries + 1 });
  }

  get(trigger: number | undefined): readonly TriggeredSteps[] | undefined {
    return this.#opened[indexOf(trigger)];
  }

  add(sequence: TriggeredSteps): void {
    const index = indexOf(sequence.trigger);
    const sequences = this.#opened[index];
    if (sequences) sequences.push(sequence);
    else this.#opened[index] = [sequence];
  }

  *[Symbol.iterator](): Generator<TriggeredSteps> {
    for (const sequences of this.#opened) if (sequences) yield* sequences;
  }
}

/** Returns the array index of a trigger. The session's start precedes the first entry. */
function indexOf(trigger: number | undefined): number {
  return trigger === undefined ? 0 : trigger + 1;
}
