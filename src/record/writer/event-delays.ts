import type { Milliseconds } from '../../kernel/clock.ts';

/** Precision of recorded delays: in steps that survive re-recording, to the microsecond, or none. */
export type DelayPrecision = 'coarse' | 'exact' | 'none';

/** Steps of coarse delays, each for delays below its limit. */
const STEPS: readonly { step: Milliseconds; upTo: Milliseconds }[] = [
  { step: 10, upTo: 100 },
  { step: 100, upTo: 10_000 },
  { step: 1_000, upTo: Number.POSITIVE_INFINITY },
];
/** Minimum coarse delay. Shorter ones are omitted. */
const COARSE_MIN: Milliseconds = 10;

/**
 * Converter of times to the `after` of each event. What rounding leaves over carries to the next delay of the same step
 * or a longer one: the rest of a long pause is not added to the time of a short answer.
 */
export class EventDelays {
  readonly #gap: DelayPrecision;
  /** Time of the last event, or of an earlier one that was later. */
  #last: Milliseconds | undefined;
  /** Time that rounding has left over, for each step. Delays that are not coarse use the first one. */
  readonly #rests: Milliseconds[] = STEPS.map(() => 0);

  constructor(gap: DelayPrecision) {
    this.#gap = gap;
  }

  /** Returns the delay to write for an event at `at`. Undefined: none. */
  next(at: Milliseconds): Milliseconds | undefined {
    this.#last ??= at;
    const gap = Math.max(0, at - this.#last);
    this.#last += gap;
    if (this.#gap === 'none') return undefined;
    const rounded = this.#gap === 'exact' ? this.#exact(gap) : this.#coarse(gap);
    return rounded > 0 ? rounded : undefined;
  }

  #exact(gap: Milliseconds): Milliseconds {
    const due = gap + this.#rests[0]!;
    const rounded = Math.round(due * 1000) / 1000;
    this.#rests[0] = due - rounded;
    return rounded;
  }

  #coarse(gap: Milliseconds): Milliseconds {
    const level = STEPS.findIndex(({ upTo }) => gap < upTo);
    const { step } = STEPS[level]!;
    let due = gap;
    for (let lower = 0; lower <= level; lower++) {
      due += this.#rests[lower]!;
      this.#rests[lower] = 0;
    }
    const rounded = due < COARSE_MIN ? 0 : Math.round(due / step) * step;
    this.#rests[level] = due - rounded;
    return rounded;
  }
}
