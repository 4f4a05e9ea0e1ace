import type { Milliseconds } from '../kernel/clock.ts';
import {
  type CloneableHistogram,
  clonedHistogram,
  type DurationHistogram,
  durationHistogram,
} from './duration-histogram.ts';

/** Figures of one interval of a load. */
export interface LoadInterval {
  /** Start of the interval, measured from the start of the load. */
  at: Milliseconds;
  /** Length of the interval. The last interval ends with the load. */
  duration: Milliseconds;
  /** Number of answers received during the interval. */
  answers: number;
  /** Number of failed checks. A failed answer counts at its arrival, any other failure at the end of its session. */
  failed: number;
  /** Number of sessions that ended during the interval. */
  sessions: number;
  /** Times from request to answer, to two significant digits. Absent if the interval has no answers. */
  took?: { p50: Milliseconds; p95: Milliseconds; p99: Milliseconds; max: Milliseconds };
}

interface Interval {
  answers: number;
  failed: number;
  sessions: number;
  /** Answer times. Absent if the interval has no answers. */
  times?: DurationHistogram;
}

/** Counts over time of another thread. */
export interface ClonedSeries {
  width: Milliseconds;
  intervals: readonly (Omit<Interval, 'times'> & { times?: CloneableHistogram })[];
}

export interface LoadSeriesOptions {
  /** Length of the first intervals. Default: a second. */
  width?: Milliseconds;
  /** Maximum number of intervals. Default: 300, which take 8 MB. */
  intervalsMax?: number;
}

/**
 * Counts of a load over time. Above the maximum number of intervals, neighbours are joined, so the memory does not grow
 * with the duration.
 */
export class LoadSeries {
  readonly #intervalsMax: number;
  #width: Milliseconds;
  #intervals: Interval[] = [];

  constructor({ width = 1_000, intervalsMax = 300 }: LoadSeriesOptions = {}) {
    this.#width = width;
    this.#intervalsMax = intervalsMax;
  }

  /** Counts an answer. `at` is measured from the start of the load. */
  addAnswer(at: Milliseconds, took: Milliseconds): void {
    const interval = this.#intervalAt(at);
    interval.answers++;
    this.#timesOf(interval).record(took);
  }

  /** Counts a failed check. */
  addFailure(at: Milliseconds): void {
    this.#intervalAt(at).failed++;
  }

  /** Counts an ended session. */
  addSession(at: Milliseconds): void {
    this.#intervalAt(at).sessions++;
  }

  /**
   * Returns the intervals of a load of this duration. A remainder shorter than half an interval is joined to the last
   * one.
   */
  intervals(duration: Milliseconds): LoadInterval[] {
    const width = this.#width;
    this.#intervalAt(Math.max(0, duration - 1));
    const all = this.#intervals;
    const rest = duration - (all.length - 1) * width;
    if (all.length > 1 && rest < width / 2) all.splice(-2, 2, joined(all.at(-2)!, all.at(-1)!));
    return all.map(({ answers, failed, sessions, times }, index) => ({
      at: index * width,
      duration: index === all.length - 1 ? duration - index * width : width,
      answers,
      failed,
      sessions,
      ...(times && { took: tookOf(times) }),
    }));
  }

  /** Returns the counts for another thread. */
  cloneable(): ClonedSeries {
    const intervals = this.#intervals.map(({ times, ...counts }) => ({
      ...counts,
      ...(times && { times: times.inMicroseconds }),
    }));
    return { width: this.#width, intervals };
  }

  /** Adds the counts of another thread whose load began at the same time. */
  add({ width, intervals }: ClonedSeries): void {
    while (this.#width < width) this.#halve();
    for (const [index, { answers, failed, sessions, times }] of intervals.entries()) {
      const interval = this.#intervalAt(index * width);
      interval.answers += answers;
      interval.failed += failed;
      interval.sessions += sessions;
      if (times) this.#timesOf(interval).add(clonedHistogram(times));
    }
  }

  #timesOf(interval: Interval): DurationHistogram {
    interval.times ??= durationHistogram({ figures: 2 });
    return interval.times;
  }

  #intervalAt(at: Milliseconds): Interval {
    let index = Math.floor(Math.max(0, at) / this.#width);
    while (index >= this.#intervalsMax) {
      this.#halve();
      index = Math.floor(at / this.#width);
    }
    while (this.#intervals.length <= index) this.#intervals.push({ answers: 0, failed: 0, sessions: 0 });
    return this.#intervals[index]!;
  }

  #halve(): void {
    const all = this.#intervals;
    this.#width *= 2;
    this.#intervals = all.flatMap((interval, index) => {
      if (index % 2 === 1) return [];
      const next = all[index + 1];
      return next ? [joined(interval, next)] : [interval];
    });
  }
}

/** Returns the sum of two intervals. May change the histogram of the first one. */
function joined(first: Interval, second: Interval): Interval {
  const times = first.times ?? second.times;
  if (first.times && second.times) first.times.add(second.times);
  return {
    answers: first.answers + second.answers,
    failed: first.failed + second.failed,
    sessions: first.sessions + second.sessions,
    ...(times && { times }),
  };
}

function tookOf(times: DurationHistogram): NonNullable<LoadInterval['took']> {
  const [p50, p95, p99] = [50, 95, 99].map((part) => times.percentile(part)) as [number, number, number];
  return { p50, p95, p99, max: times.max };
}
