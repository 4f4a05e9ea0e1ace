import type { Milliseconds } from '../kernel/clock.ts';
import { type DurationHistogram, durationHistogram } from './duration-histogram.ts';

/** Figures of a load in an interval of its time. */
export interface LoadInterval {
  /** Its start, since that of the load. */
  at: Milliseconds;
  /** Its length. The last one ends with the load. */
  duration: Milliseconds;
  /** Number of answers that came in it. */
  answers: number;
  /** Number of failed checks. That of an answer counts when it came, any other one when its session ended. */
  failed: number;
  /** Number of sessions that ended in it. */
  sessions: number;
  /** Times from a request to its answer, right to a hundredth. Absent: none was answered. */
  took?: { p50: Milliseconds; p95: Milliseconds; p99: Milliseconds; max: Milliseconds };
}

interface Interval {
  answers: number;
  failed: number;
  sessions: number;
  /** Absent: no answer came. */
  times?: DurationHistogram;
}

export interface LoadSeriesOptions {
  /** Length of the first intervals. Default: a second. */
  width?: Milliseconds;
  /** Maximum number of intervals. Default: 300, which take 8 MB. */
  intervalsMax?: number;
}

/**
 * Counts of a load over time. When there are too many intervals, each two become one of twice their length, so that the
 * size does not grow with the time.
 */
export class LoadSeries {
  readonly #intervalsMax: number;
  #width: Milliseconds;
  #intervals: Interval[] = [];

  constructor({ width = 1_000, intervalsMax = 300 }: LoadSeriesOptions = {}) {
    this.#width = width;
    this.#intervalsMax = intervalsMax;
  }

  /** Takes in an answer that came at `at` after the start. */
  addAnswer(at: Milliseconds, took: Milliseconds): void {
    const interval = this.#intervalAt(at);
    interval.answers++;
    interval.times ??= durationHistogram({ figures: 2 });
    interval.times.record(took);
  }

  /** Takes in a failed check. */
  addFailure(at: Milliseconds): void {
    this.#intervalAt(at).failed++;
  }

  /** Takes in a session that has ended. */
  addSession(at: Milliseconds): void {
    this.#intervalAt(at).sessions++;
  }

  /** Returns the intervals of a load of this duration. A rest shorter than half an interval belongs to the last one. */
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

/** Returns the counts of two intervals together. The histogram of the first one may change. */
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
