import type { Milliseconds } from '../../kernel/clock.ts';

/** One move of the played side, and what it waits for beside the parts before it in its sequence. */
export interface PlanStep {
  entry: number;
  /** Moves of either side that must have happened in the live session. */
  needs: readonly number[];
  /** How long to wait for them at most, where they may never come; absent: the scheduler decides. */
  patience?: Milliseconds;
  /** Sent once a session, whoever owns it, and at the latest just before the next response in the cassette. */
  ambient: boolean;
  guess: boolean;
  /** Why it stands in this sequence, for people. */
  why: string;
}

/** Parts that keep their order. Lanes are independent of each other. */
export interface Sequence {
  /** The entry, of either side, that starts the sequence; undefined: the session's start. */
  opens: number | undefined;
  parts: PlanStep[];
}

/** The sequences of a cassette of so many moves, by the entry that opens them; a map of nearly all entries costs several times as much. */
export class SequenceTable {
  readonly #opened: (Sequence[] | undefined)[];

  constructor(entries: number) {
    this.#opened = Array.from({ length: entries + 1 });
  }

  get(opens: number | undefined): readonly Sequence[] | undefined {
    return this.#opened[placeOf(opens)];
  }

  add(sequence: Sequence): void {
    const place = placeOf(sequence.opens);
    const sequences = this.#opened[place];
    if (sequences) sequences.push(sequence);
    else this.#opened[place] = [sequence];
  }

  *[Symbol.iterator](): Generator<Sequence> {
    for (const sequences of this.#opened) if (sequences) yield* sequences;
  }
}

/** The session's start comes before the first entry. */
function placeOf(opens: number | undefined): number {
  return opens === undefined ? 0 : opens + 1;
}
