import type { Milliseconds } from '../kernel/clock.ts';
import type { Outcome, Step } from '../text-report/outcome-model.ts';
import { placesNewInEachRun } from '../verify/propose/propose-patterns.ts';
import {
  type CloneableHistogram,
  clonedHistogram,
  type DurationHistogram,
  durationHistogram,
} from './duration-histogram.ts';
import { type ClonedSeries, type LoadInterval, LoadSeries } from './load-series.ts';

/**
 * Figures of requests with equal titles, such as all calls of a tool. Other failed checks, such as missing
 * notifications, count under their own titles.
 */
export interface CallLoad {
  /** Title of the requests: `tools/call "echo"`. */
  what: string;
  answers: number;
  /** Number of answers that differ from the cassette, and of requests without an answer. */
  failed: number;
  /** Times from request to answer. Absent if no request was answered. */
  took?: { mean: Milliseconds; p50: Milliseconds; p95: Milliseconds; p99: Milliseconds; max: Milliseconds };
}

/** A kind of failure. `step` has the values of the first occurrence. */
export interface LoadFailure {
  step: Step;
  count: number;
  /** Number of the first session with this failure. */
  session: number;
}

/** Arrival times of a session's answers, measured from the start of the load. */
export interface SessionTimes {
  /** Arrival times by the cassette line of the request. A list of several pages has the line of its first page. */
  answers: ReadonlyMap<number, Milliseconds>;
  end: Milliseconds;
}

/** Totals of a load. */
export interface LoadCounts {
  /** Number of ended sessions. */
  sessions: number;
  /** Number of sessions with a failure. */
  failedSessions: number;
  /** Number of received answers. */
  answers: number;
  /** Number of compared answers, notifications and session ends. */
  checks: number;
  /** Number of checks whose value differs from the cassette. */
  failed: number;
  /** Number of failures of further kinds, which are counted but not kept. */
  unlisted: number;
  /** Number of notifications that the cassette does not have. */
  unrecordedNotifications: number;
  /** Number of HTTP event streams that the server ended before the last expected message. */
  lostStreams: number;
  /** Number of lost streams that clients resumed. */
  resumedStreams: number;
}

/** Counts of another thread. */
export interface ClonedStats {
  counts: LoadCounts;
  calls: ReadonlyMap<string, { answers: number; failed: number; times: CloneableHistogram }>;
  all: CloneableHistogram;
  series: ClonedSeries;
  failures: ReadonlyMap<string, LoadFailure>;
  notes: ReadonlySet<string>;
  unrecorded: ReadonlyMap<string, number>;
}

interface Call {
  answers: number;
  failed: number;
  times: DurationHistogram;
}

/** Maximum number of kinds of failures that are kept with their values. */
const KINDS_MAX = 100;

/** Counts of session results. The size grows neither with the number of sessions nor with time. */
export class LoadStats {
  readonly #calls = new Map<string, Call>();
  readonly #all = durationHistogram();
  readonly #series = new LoadSeries();
  readonly #failures = new Map<string, LoadFailure>();
  readonly #notes = new Set<string>();
  /** Number of notifications that the cassette does not have, by method. */
  readonly #unrecorded = new Map<string, number>();
  readonly #counts: LoadCounts = {
    sessions: 0,
    failedSessions: 0,
    answers: 0,
    checks: 0,
    failed: 0,
    unlisted: 0,
    unrecordedNotifications: 0,
    lostStreams: 0,
    resumedStreams: 0,
  };

  /** The counts so far. */
  get counts(): Readonly<LoadCounts> {
    return this.#counts;
  }

  /** Notes of comparisons, without duplicates. */
  get notes(): string[] {
    return [...this.#notes];
  }

  /** Adds the comparison of a session with its cassette. */
  add(session: number, { steps, notes, file }: Outcome, { answers, end }: SessionTimes): void {
    this.#counts.sessions++;
    this.#series.addSession(end);
    for (const note of notes) this.#addNote(note);
    let isFailed = false;
    for (const step of steps) {
      const { status, title, duration } = step;
      if (status === 'skipped') continue;
      this.#counts.checks++;
      const at = (duration === undefined ? undefined : answers.get(step.line ?? 0)) ?? end;
      if (duration !== undefined) this.#answered(title, duration, at);
      if (status === 'passed') continue;
      isFailed = true;
      this.#counts.failed++;
      this.#series.addFailure(at);
      this.#call(title).failed++;
      this.#keep(session, { ...step, file });
    }
    if (isFailed) this.#counts.failedSessions++;
  }

  /** Notifications that the cassette does not have: the number of each method. */
  get unrecorded(): ReadonlyMap<string, number> {
    return this.#unrecorded;
  }

  /** Adds notifications of a session that the cassette does not have, by their methods. */
  addUnrecorded(methods: readonly string[]): void {
    this.#counts.unrecordedNotifications += methods.length;
    for (const method of methods) this.#countUnrecorded(method, 1);
  }

  /** Adds the event streams of a session that the server ended too early. */
  addStreams({ lost, resumed }: { lost: number; resumed: number }): void {
    this.#counts.lostStreams += lost;
    this.#counts.resumedStreams += resumed;
  }

  /** Adds a session whose server was unreachable. */
  addUnreached(session: number, file: string, why: string, end: Milliseconds): void {
    const step: Step = { title: 'the server', status: 'failed', headline: why };
    this.add(session, { title: '', file, steps: [step], notes: [], duration: 0 }, { answers: new Map(), end });
  }

  /** Returns the failures, most frequent first. */
  failures(): LoadFailure[] {
    return [...this.#failures.values()].sort((a, b) => b.count - a.count);
  }

  /** Returns the figures of each kind of request, in the order of the first session. */
  calls(): CallLoad[] {
    return [...this.#calls].map(([what, { answers, failed, times }]) => ({
      what,
      answers,
      failed,
      ...(times.count > 0 && { took: tookOf(times) }),
    }));
  }

  /** Returns the times of all answers, or of answers to requests titled `what`. Undefined if there are none. */
  times(what?: string): DurationHistogram | undefined {
    const times = what === undefined ? this.#all : this.#calls.get(what)?.times;
    return times && times.count > 0 ? times : undefined;
  }

  /** Returns the figures over time for a load of this duration. */
  intervals(duration: Milliseconds): LoadInterval[] {
    return this.#series.intervals(duration);
  }

  /** Returns the counts for another thread, with its failures as `redacted` returns them. */
  cloneable(redacted: (step: Step) => Step): ClonedStats {
    const calls = new Map(
      [...this.#calls].map(([what, { times, ...call }]) => [what, { ...call, times: times.inMicroseconds }]),
    );
    const [all, series] = [this.#all.inMicroseconds, this.#series.cloneable()];
    const failures = new Map(
      [...this.#failures].map(([key, failure]) => [key, { ...failure, step: redacted(failure.step) }]),
    );
    return { counts: this.#counts, calls, all, series, failures, notes: this.#notes, unrecorded: this.#unrecorded };
  }

  /** Adds the counts of another thread whose load began at the same time. */
  addThread({ counts, calls, all, series, failures, notes, unrecorded }: ClonedStats): void {
    for (const name of Object.keys(this.#counts) as (keyof LoadCounts)[]) this.#counts[name] += counts[name];
    for (const [what, { answers, failed, times }] of calls) {
      const call = this.#call(what);
      call.answers += answers;
      call.failed += failed;
      call.times.add(clonedHistogram(times));
    }
    this.#all.add(clonedHistogram(all));
    this.#series.add(series);
    for (const [key, failure] of failures) this.#addFailures(key, failure);
    for (const note of notes) this.#addNote(note);
    for (const [method, count] of unrecorded) this.#countUnrecorded(method, count);
  }

  #countUnrecorded(method: string, count: number): void {
    const known = this.#unrecorded.get(method);
    if (known !== undefined || this.#unrecorded.size < KINDS_MAX) this.#unrecorded.set(method, (known ?? 0) + count);
  }

  #addNote(note: string): void {
    if (this.#notes.size < KINDS_MAX) this.#notes.add(note);
  }

  #answered(title: string, duration: Milliseconds, at: Milliseconds): void {
    const call = this.#call(title);
    call.answers++;
    call.times.record(duration);
    this.#all.record(duration);
    this.#series.addAnswer(at, duration);
    this.#counts.answers++;
  }

  #call(title: string): Call {
    let call = this.#calls.get(title);
    if (call === undefined) {
      call = { answers: 0, failed: 0, times: durationHistogram() };
      this.#calls.set(title, call);
    }
    return call;
  }

  /** Counts a failure. Failures that differ in numbers, or in values that are new in each session, are the same kind. */
  #keep(session: number, step: Step): void {
    const how = placesNewInEachRun(step)?.join() ?? step.headline?.replace(/\d+/g, '0');
    const key = [step.file, step.line, step.title, how].join('\n');
    this.#addFailures(key, { step, count: 1, session });
  }

  /** Adds failures of one kind. The earliest session is kept with its values. */
  #addFailures(key: string, failure: LoadFailure): void {
    const known = this.#failures.get(key);
    const count = (known?.count ?? 0) + failure.count;
    if (known) this.#failures.set(key, { ...(failure.session < known.session ? failure : known), count });
    else if (this.#failures.size < KINDS_MAX) this.#failures.set(key, failure);
    else this.#counts.unlisted += failure.count;
  }
}

function tookOf(times: DurationHistogram): NonNullable<CallLoad['took']> {
  const { mean, max } = times;
  return { mean, p50: times.percentile(50), p95: times.percentile(95), p99: times.percentile(99), max };
}
