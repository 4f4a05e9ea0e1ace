import type { Milliseconds } from '../../kernel/clock.ts';

/** One move of the played side, and what it waits for beside the parts before it in its lane. */
export interface Part {
  move: number;
  /** Moves of either side that must have happened in the live session. */
  needs: readonly number[];
  /** How long to wait for them at most, where they may never come; absent: the stage decides. */
  patience?: Milliseconds;
  /** Sent once a session, whoever owns it, and at the latest just before the next response on the tape. */
  ambient: boolean;
  guess: boolean;
  /** Why it stands in this lane, for people. */
  why: string;
}

/** Parts that keep their order. Lanes are independent of each other. */
export interface Lane {
  /** The move, of either side, that starts the lane; undefined: the session's start. */
  opens: number | undefined;
  parts: Part[];
}

/** The lanes of a tape of so many moves, by the move that opens them; a map of nearly all moves costs several times as much. */
export class Lanes {
  readonly #opened: (Lane[] | undefined)[];

  constructor(moves: number) {
    this.#opened = Array.from({ length: moves + 1 });
  }

  get(opens: number | undefined): readonly Lane[] | undefined {
    return this.#opened[placeOf(opens)];
  }

  add(lane: Lane): void {
    const place = placeOf(lane.opens);
    const lanes = this.#opened[place];
    if (lanes) lanes.push(lane);
    else this.#opened[place] = [lane];
  }

  *[Symbol.iterator](): Generator<Lane> {
    for (const lanes of this.#opened) if (lanes) yield* lanes;
  }
}

/** The session's start comes before the first move. */
function placeOf(opens: number | undefined): number {
  return opens === undefined ? 0 : opens + 1;
}
