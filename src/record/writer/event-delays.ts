import type { Milliseconds } from '../../kernel/clock.ts';

/** Precision of recorded delays: in steps that survive re-recording, to the microsecond, or none. */
export type DelayPrecision = 'coarse' | 'exact' | 'none';

/** Minimum coarse delay. Shorter ones are omitted. */
const COARSE_MIN: Milliseconds = 10;

/** Converter of times to the `after` of each event. Rounding errors carry over to the next delay. */
export class EventDelays {
  readonly #gap: DelayPrecision;
  /** Time of the last event as computed by readers of the cassette. */
  #written: Milliseconds | undefined;

  constructor(gap: DelayPrecision) {
    this.#gap = gap;
  }

  /** Returns the delay to write for an event at `at`. Undefined: none. */
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
