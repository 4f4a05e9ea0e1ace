import type { Milliseconds } from '../../kernel/clock.ts';

/** How the time between two events is written: in steps that survive re-recording, to the microsecond, or not at all. */
export type DelayPrecision = 'coarse' | 'exact' | 'none';

/** A shorter gap is not worth a line. */
const COARSE_MIN: Milliseconds = 10;

/** Turns instants into the `after` of each event. What rounding leaves over carries to the next gap. */
export class EventDelays {
  readonly #gap: DelayPrecision;
  /** The instant that a reader of the cassette computes for the last event. */
  #written: Milliseconds | undefined;

  constructor(gap: DelayPrecision) {
    this.#gap = gap;
  }

  /** The gap to write for an event at `at`; undefined: none. */
  next(at: Milliseconds): Milliseconds | undefined {
    this.#written ??= at;
    const gap = this.#gap === 'none' ? 0 : at - this.#written;
    const rounded = this.#gap === 'exact' ? Math.round(gap * 1000) / 1000 : coarse(gap);
    if (rounded <= 0) return undefined;
    this.#written += rounded;
    return rounded;
  }
}

function coarse(gap: Milliseconds): Milliseconds {
  if (gap < COARSE_MIN) return 0;
  const step = gap < 100 ? 10 : gap < 10_000 ? 100 : 1_000;
  return Math.round(gap / step) * step;
}
