import { createHistogram, monitorEventLoopDelay, type RecordableHistogram } from 'node:perf_hooks';
import type { Milliseconds } from '../kernel/clock.ts';

/** Histogram of durations up to an hour. Memory use does not depend on the number of durations. */
export interface DurationHistogram {
  readonly count: number;
  readonly mean: Milliseconds;
  readonly max: Milliseconds;
  record(duration: Milliseconds): void;
  /** Returns the duration that `part` percent do not exceed. */
  percentile(part: number): Milliseconds;
  /** Adds all durations of another histogram. */
  add(other: DurationHistogram): void;
  /** The same for another thread, to which Node can clone it. */
  readonly inMicroseconds: CloneableHistogram;
}

/** Durations in microseconds. */
export type CloneableHistogram = RecordableHistogram;

export interface DurationHistogramOptions {
  /** Number of significant digits. Default: 3. A histogram takes 28 KB with 2 digits, and 190 KB with 3. */
  figures?: 2 | 3;
}

const US_PER_MS = 1_000;
const HOUR_US = 3_600_000_000;

export function durationHistogram({ figures = 3 }: DurationHistogramOptions = {}): DurationHistogram {
  return new Durations(createHistogram({ lowest: 1, highest: HOUR_US, figures }));
}

/** Returns the histogram of another thread by its cloned durations. */
export function clonedHistogram(inMicroseconds: CloneableHistogram): DurationHistogram {
  return new Durations(inMicroseconds);
}

class Durations implements DurationHistogram {
  readonly inMicroseconds: CloneableHistogram;

  constructor(inMicroseconds: CloneableHistogram) {
    this.inMicroseconds = inMicroseconds;
  }

  get count(): number {
    return this.inMicroseconds.count;
  }

  get mean(): Milliseconds {
    return this.inMicroseconds.mean / US_PER_MS;
  }

  get max(): Milliseconds {
    return this.inMicroseconds.max / US_PER_MS;
  }

  record(duration: Milliseconds): void {
    this.inMicroseconds.record(Math.min(HOUR_US, Math.max(1, Math.round(duration * US_PER_MS))));
  }

  percentile(part: number): Milliseconds {
    return this.inMicroseconds.percentile(part) / US_PER_MS;
  }

  add(other: DurationHistogram): void {
    this.inMicroseconds.add(other.inMicroseconds);
  }
}

const NS_PER_MS = 1_000_000;
const RESOLUTION: Milliseconds = 10;

/**
 * Starts measuring event loop delay, which answer times include. The returned function ends the measurement and returns
 * the 90th percentile.
 */
export function measureProcessDelay(): () => Milliseconds {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION });
  delays.enable();
  return () => {
    delays.disable();
    return Math.max(0, delays.percentile(90) / NS_PER_MS - RESOLUTION);
  };
}
