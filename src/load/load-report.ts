import type { Milliseconds } from '../kernel/clock.ts';
import { formatCount, grouped } from '../kernel/format-count.ts';
import { columnsText } from '../text-report/call-stats.ts';
import type { Outcome, Step } from '../text-report/outcome-model.ts';
import { printable } from '../text-report/printable-text.ts';
import type { LoadInterval } from './load-series.ts';
import type { CallLoad, LoadCounts, LoadFailure, LoadStats } from './load-stats.ts';
import type { Arrivals } from './session-arrivals.ts';
import { isCount, type ThresholdResult } from './threshold.ts';
import { unrecordedNotes } from './unrecorded-notifications.ts';

/** What was run: the program, the server, and the options that shape the load. */
export interface LoadRun {
  /** Version of mcp-record. */
  version: string;
  /** Time at which the load began, as ISO 8601. */
  date: string;
  /** URL of the server, without credentials. Absent if the server is a command. */
  url?: string;
  /** Command of the server. Absent if the server is at a URL. */
  command?: readonly string[];
  /** Maximum number of sessions at once. */
  clients: number;
  /** Sessions to start a second. Absent if each client starts its next session when the last one has ended. */
  rate?: number;
  /** Time in which sessions start, as asked for. */
  for: Milliseconds;
  /** Time until all clients have started, or the rate is reached. */
  ramp: Milliseconds;
  /** Number of threads that played the clients. */
  workers: number;
  /** Number of threads that this machine runs at the same time. */
  cores: number;
}

/** Results of a load. */
export interface LoadResult {
  run: LoadRun;
  /** Paths of the cassettes. */
  files: readonly string[];
  stats: LoadStats;
  arrivals: Arrivals;
  thresholds: readonly ThresholdResult[];
  /** Time between the first session's start and the last session's end. */
  duration: Milliseconds;
  /** 90th percentile of the event loop delay, by which answers are read late: of the worker where it is longest. */
  processDelay: Milliseconds;
  /** Notes on mixed-up answers of parallel sessions that the load cannot find. */
  undetected: readonly string[];
}

/** Results of a load as JSON, for `--json` and the report page. */
export interface LoadJson extends Arrivals {
  run: LoadRun;
  files: readonly string[];
  duration: Milliseconds;
  /** 90th percentile of the event loop delay, by which answers are read late: of the worker where it is longest. */
  processDelay: Milliseconds;
  sessions: number;
  failedSessions: number;
  answers: number;
  /**
   * Number of compared answers, notifications and session ends. `failed` counts those that differ from the cassette.
   */
  checks: number;
  failed: number;
  /** Number of notifications that the cassette does not have. They fail nothing. */
  unrecordedNotifications: number;
  /**
   * HTTP event streams that the server ended before the last expected message. `resumedStreams` counts those that
   * clients resumed.
   */
  lostStreams: number;
  resumedStreams: number;
  /** Kinds of requests, the slowest first. */
  calls: readonly CallLoad[];
  /** Figures over time. Intervals start at one second, and double in length whenever a load needs more than 300. */
  intervals: readonly LoadInterval[];
  failures: readonly LoadFailure[];
  thresholds: readonly ThresholdResult[];
  notes: readonly string[];
}

export function loadJson(result: LoadResult): LoadJson {
  const { stats, arrivals, undetected: _, ...rest } = result;
  const counts = reportedCounts(stats);
  const notes = notesOf(result);
  const [calls, intervals, failures] = [slowestFirst(stats), stats.intervals(rest.duration), stats.failures()];
  return { ...arrivals, ...rest, ...counts, calls, intervals, failures, notes };
}

function reportedCounts({ counts: { unlisted: _, ...reported } }: LoadStats): Omit<LoadCounts, 'unlisted'> {
  return reported;
}

/** Returns the sentence about event streams that the server ended too early. */
function streamsText({ lostStreams: lost, resumedStreams: resumed }: LoadCounts): string {
  const how = resumed === 0 ? 'none' : resumed === lost ? 'all' : grouped(resumed);
  return `${formatCount(lost, 'event stream')} lost, ${how} of them resumed`;
}

/** Formats the figures of a load: totals, and a line for each kind of request. */
export function loadText({ files, stats, duration }: LoadResult, width?: number): string[] {
  const seconds = duration / 1_000;
  const { sessions, failedSessions, answers, lostStreams } = stats.counts;
  const ofFailed = failedSessions > 0 ? ` (${grouped(failedSessions)} failed)` : '';
  const rows = slowestFirst(stats).map(({ what, answers, failed, took }) => [
    grouped(answers),
    failed === 0 ? '' : grouped(failed),
    ...[took?.p50, took?.p95, took?.p99, took?.max].map(timeText),
    printable(what),
  ]);
  return [
    `load of ${files.map(printable).join(', ')}: ${grouped(sessions)} sessions${ofFailed}, ${grouped(answers)} answers in ${seconds.toFixed(1)} s (${grouped(Math.round(answers / seconds))}/s)`,
    ...(lostStreams > 0 ? [streamsText(stats.counts)] : []),
    '',
    ...columnsText([['answers', 'failed', 'p50 ms', 'p95 ms', 'p99 ms', 'max ms', 'what'], ...rows], width),
    '',
  ];
}

/** Returns the figures of each kind of request by their p95, the slowest first. Those without times come last. */
function slowestFirst(stats: LoadStats): CallLoad[] {
  const timeOf = ({ took }: CallLoad): Milliseconds => took?.p95 ?? -1;
  return stats.calls().sort((a, b) => timeOf(b) - timeOf(a));
}

function timeText(time: Milliseconds | undefined): string {
  if (time === undefined) return '';
  return time < 10 ? time.toFixed(1) : grouped(Math.round(time));
}

/**
 * Returns the checks of a load. A check fails for each kind of failure (unless a threshold limits failures), for a
 * missed rate, and for each missed threshold.
 */
export function loadOutcome(result: LoadResult): Outcome {
  const { run, files, stats, arrivals, thresholds, duration } = result;
  const isTolerated = toleratingThreshold(thresholds) !== undefined;
  const failures = stats.failures().map((failure) => failedStep(failure, stats.counts));
  const notes = notesOf(result);
  return {
    title: 'load',
    file: files.join(', '),
    steps: [
      ...(isTolerated ? [] : [...failures, ...restOf(stats.counts)]),
      ...unkeptRate(arrivals, run),
      ...thresholds.map(stepOf),
    ],
    notes: isTolerated ? [...failures.map(({ title, headline }) => `${title}: ${headline}`), ...notes] : notes,
    duration,
    properties: reportedCounts(stats),
  };
}

/** Returns the threshold for failures that the load keeps. Undefined: there is none, or one does not hold. */
export function toleratingThreshold(thresholds: readonly ThresholdResult[]): ThresholdResult | undefined {
  const limits = thresholds.filter(({ metric }) => metric === 'failed');
  return limits.every(({ holds }) => holds) ? limits[0] : undefined;
}

/** Returns the failed step of a kind of failure, with how often it occurred. */
export function failedStep({ step, count, session }: LoadFailure, { sessions }: LoadCounts): Step {
  const often = count === 1 ? `once, in session ${session}` : `${grouped(count)} times, first in session ${session}`;
  return { ...step, headline: `${step.headline ?? 'failed'} (${often} of ${grouped(sessions)})` };
}

/** Returns the passed step of a load without failures, or a failed step for failures of unlisted kinds. */
function restOf({ failed, checks, unlisted, unrecordedNotifications }: LoadCounts): Step[] {
  const which = unrecordedNotifications === 0 ? 'notifications' : 'notifications of the cassette';
  const title = `answers, ${which} and ends are as recorded`;
  if (failed === 0) return [{ title: `${grouped(checks)} ${title}`, status: 'passed' }];
  if (unlisted === 0) return [];
  const headline = `${grouped(failed)} of ${grouped(checks)} are not, ${grouped(unlisted)} of them of kinds that are not listed`;
  return [{ title, status: 'failed', headline }];
}

function stepOf({ text, holds, actual, metric, isPart }: ThresholdResult): Step {
  const shown = actual === undefined ? 'there was no such answer' : `it is ${actualText(actual, metric, isPart)}`;
  const title = `${text}: ${shown}`;
  return holds ? { title, status: 'passed' } : { title: text, status: 'failed', headline: shown };
}

function actualText(actual: number, metric: string, isPart: boolean): string {
  if (isCount(metric)) return isPart ? `${Number(actual.toPrecision(3))} %` : grouped(actual);
  if (metric === 'rate') return `${grouped(Math.round(actual))} a second`;
  return `${timeText(actual)} ms`;
}

/** Returns the failed step for sessions that never started. Without them, the load did not reach the requested rate. */
function unkeptRate({ missed, missedWithFreeClients, started, period }: Arrivals, run: LoadRun): Step[] {
  if (missed === 0) return [];
  const why = causeText(missed, missedWithFreeClients);
  const perSecond = grouped(Math.round((started * 1_000) / Math.max(1, period)));
  const next =
    missedWithFreeClients === 0
      ? 'Allow more with --clients, or ask for less'
      : `At most ${perSecond} sessions a second started here. ${moreWorkers(run) ?? 'Divide the rate among several machines'}, or ask for a lower one`;
  const headline = `${grouped(missed)} of ${grouped(missed + started)} sessions never started${why}. ${next}`;
  return [{ title: 'the rate', status: 'failed', headline }];
}

/** Returns the cause of late or missed sessions: all clients were busy, or this process was late. */
function causeText(count: number, withFreeClients: number): string {
  const busy = 'because all clients were busy';
  const own = 'because this process was late itself';
  if (withFreeClients === 0) return `, ${busy}`;
  if (withFreeClients === count) return `, ${own}`;
  return `: ${grouped(count - withFreeClients)} ${busy}, ${grouped(withFreeClients)} ${own}`;
}

/** Returns the advice to use cores that no worker uses. Undefined: there are none. */
function moreWorkers({ workers, cores }: LoadRun): string | undefined {
  return workers < cores ? `Use more cores of this machine (--workers ${cores})` : undefined;
}

function notesOf(result: LoadResult): string[] {
  const { run, stats, arrivals, processDelay, undetected } = result;
  const late = arrivals.late > 0 ? [lateText(arrivals, run)] : [];
  const own = processDelay > PROCESS_DELAY_MIN ? [processDelayText(processDelay, run)] : [];
  const queueing = hasQueueingTimes(result) ? [QUEUEING_TIMES] : [];
  return [
    ...limitedNotes(stats.notes),
    ...unrecordedNotes(stats.unrecorded, stats.counts.unrecordedNotifications),
    ...late,
    ...own,
    ...queueing,
    ...certaintyNotes(stats),
    ...undetected,
  ];
}

/** Maximum number of notes on comparisons. They come first, since a reader sees the end of the output. */
const COMPARISON_NOTES_MAX = 5;

function limitedNotes(notes: readonly string[]): string[] {
  if (notes.length <= COMPARISON_NOTES_MAX) return [...notes];
  return [
    ...notes.slice(0, COMPARISON_NOTES_MAX),
    `And ${notes.length - COMPARISON_NOTES_MAX} more notes of sessions.`,
  ];
}

/**
 * Returns the note on how rare a mistake may be that this load did not see. With none in n calls, it is in fewer than 3
 * of n with 95 % certainty (rule of three). Of several kinds of calls, the one with the fewest is named.
 */
function certaintyNotes(stats: LoadStats): string[] {
  if (stats.counts.failed > 0) return [];
  const calls = stats.calls().filter(({ answers, what }) => answers >= CALLS_MIN && what.startsWith('tools/call '));
  if (calls.length === 0) return [];
  const { what, answers } = calls.reduce((a, b) => (b.answers < a.answers ? b : a));
  return [
    `None of ${grouped(answers)} answers to ${what} was wrong. With 95 % certainty, fewer than 1 in ${grouped(Math.floor(answers / 3))} are: a rarer mistake needs more calls.`,
  ];
}

/** Minimum number of calls that say anything about their share of wrong answers. */
const CALLS_MIN = 6;

/** Reports whether several kinds of requests have times that contain the wait for the requests of other clients. */
function hasQueueingTimes({ run, stats }: LoadResult): boolean {
  return run.rate === undefined && run.clients > 1 && stats.calls().filter(({ took }) => took).length > 1;
}

const QUEUEING_TIMES =
  'With --clients, times include the wait while the server answers other clients. Do not read the slowest tool from them: use a low --rate.';

/** Minimum event loop delay that a note mentions. */
const PROCESS_DELAY_MIN: Milliseconds = 100;

function lateText(arrivals: Arrivals, run: LoadRun): string {
  const { late, lateWithFreeClients, delayMax } = arrivals;
  const why = causeText(late, lateWithFreeClients);
  const by = `by ${late === 1 ? '' : 'up to '}${timeText(delayMax)} ms`;
  return `${formatCount(late, 'session')} started late, ${by}${why}. ${lateAdvice(arrivals, run)}`;
}

/** Minimum share of late sessions that the rate explains. Fewer have other causes, such as other work on the machine. */
const LATE_SHARE_MIN = 0.05;

function lateAdvice(arrivals: Arrivals, run: LoadRun): string {
  const { started, late, lateWithFreeClients, missedWithFreeClients } = arrivals;
  if (lateWithFreeClients === 0) return 'Allow more with --clients.';
  const times = `${late === 1 ? 'Its' : 'Their'} times contain its own.`;
  const isByRate = missedWithFreeClients > 0 || lateWithFreeClients >= LATE_SHARE_MIN * started;
  if (!isByRate) return `${times} Other work on this machine may be the cause.`;
  const more = moreWorkers(run);
  return `${times} ${more === undefined ? 'Ask' : `${more}, or ask`} for a lower rate.`;
}

function processDelayText(delay: Milliseconds, run: LoadRun): string {
  const other = moreWorkers(run) ?? 'Divide the clients among several machines';
  return `This process was late itself: it often read answers ${timeText(delay)} ms after they had arrived, or later. The times contain that, and late answers may be its fault. ${other}, or use fewer clients.`;
}
