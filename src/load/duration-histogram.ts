import { createHistogram } from 'node:perf_hooks';
import type { Milliseconds } from '../kernel/clock.ts';

/** Counts of durations. Its size does not grow with their number. Its figures are right to a thousandth, up to an hour. */
export interface DurationHistogram {
  readonly count: number;
  readonly mean: Milliseconds;
  readonly max: Milliseconds;
  record(duration: Milliseconds): void;
  /** Returns the duration that `part` percent do not exceed. */
  percentile(part: number): Milliseconds;
}

const US_PER_MS = 1_000;
const HOUR_US = 3_600_000_000;

export function durationHistogram(): DurationHistogram {
  const inMicroseconds = createHistogram({ lowest: 1, highest: HOUR_US, figures: 3 });
  return {
    get count() {
      return inMicroseconds.count;
    },
    get mean() {
      return inMicroseconds.mean / US_PER_MS;
    },
    get max() {
      return inMicroseconds.max / US_PER_MS;
    },
    record(duration) {
      inMicroseconds.record(Math.min(HOUR_US, Math.max(1, Math.round(duration * US_PER_MS))));
    },
    percentile: (part) => inMicroseconds.percentile(part) / US_PER_MS,
  };
}
