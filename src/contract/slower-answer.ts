import type { Cassette } from '../cassette/cassette.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { McpRecordError } from '../kernel/errors.ts';

/**
 * Shortest time for comparison. Shorter times are raised to this one, because they vary between runs and cassettes
 * round them.
 */
const SHORTEST: Milliseconds = 100;

/** Requests that open a session. Over stdio, their duration includes the start of the server process. */
const OPENINGS: ReadonlySet<string> = new Set(['initialize', 'server/discover']);

/** Durations of an answer in two sessions. */
export interface Durations {
  before: Milliseconds;
  after: Milliseconds;
}

/**
 * Describes an answer that took more than `factor` times as long as before. Undefined for a faster answer, or if
 * `method` opens a session.
 */
export function slowerWords(method: string, { before, after }: Durations, factor: number): string | undefined {
  if (!isTimed(method)) return undefined;
  if (after <= factor * Math.max(before, SHORTEST)) return undefined;
  return `slower: took ${Math.round(after)} ms, and ${Math.round(before)} ms before`;
}

/** Recorded duration of an answer. */
export interface RecordedTime {
  /** Title of the request, such as `tools/call "add"`. */
  title: string;
  time: Milliseconds;
  /** Duration of the compared answer. Absent: it is not known. */
  now?: Milliseconds;
}

/**
 * Returns notes on answers whose slowdown stays undetected: their times are below {@link SHORTEST}, or rounded in the
 * cassette, or near the limit by now. `limitOption` names the option for an absolute limit.
 */
export function slowerLimitNotes(times: readonly RecordedTime[], factor: number, limitOption: string): string[] {
  const short = times.filter(({ time }) => time <= SHORTEST);
  const long = times.filter(({ time }) => time > SHORTEST);
  const limit = Math.round(factor * SHORTEST);
  if (times.length === 0) return [];
  if (long.length === 0)
    return [
      `No recorded answer took more than ${SHORTEST} ms, so that none below ${limit} ms fails as slower. ${limitOption} limits all answers; mcp-record load compares shorter times of two versions.`,
    ];
  const notes: string[] = [];
  if (short.length > 0) {
    const titles = firstTitles(new Set(short.map(({ title }) => title)));
    notes.push(
      `A recorded time below ${SHORTEST} ms counts as ${SHORTEST} ms, so that ${titles} may take up to ${limit} ms. ${limitOption} limits all answers; mcp-record load --threshold limits those of one tool.`,
    );
  }
  const rounded = roundedMost(long);
  if (rounded !== undefined) notes.push(roundedNote(rounded, factor));
  const near = long.filter(({ time, now = 0 }) => now > NEAR * factor * time && now <= factor * time);
  return [...notes, ...near.slice(0, SHOWN_MAX).map((one) => nearNote(one, factor))];
}

/** Request with its duration, in one of two recorded sessions. */
interface TimedRequest {
  title: string;
  request: { method: string };
  took?: Milliseconds | undefined;
}

/**
 * Returns notes on what a comparison of two recorded sessions leaves undetected, or reports although it may be due to
 * rounding. `file` is the path of the second session. Without `factor`, no times are compared.
 */
export function timesInPairsNotes({
  pairs,
  factor,
  file,
}: {
  pairs: readonly (readonly [before: TimedRequest, after: TimedRequest])[];
  factor: number | undefined;
  file: string;
}): string[] {
  if (factor === undefined) return [];
  const times = pairs.flatMap(([{ title, request, took: time }, { took: now }]) =>
    time === undefined || now === undefined || !isTimed(request.method) ? [] : [{ title, time, now }],
  );
  const notes = slowerLimitNotes(times, factor, 'mcp-record verify --max-time');
  if (!times.every(({ now }) => isRounded(now))) return notes;
  const isByRounding = ({ time, now }: (typeof times)[number]) => {
    const limit = factor * Math.max(time, SHORTEST);
    return now > limit && now - COARSE_STEP / 2 <= limit;
  };
  const doubtful = times.filter(isByRounding).slice(0, SHOWN_MAX);
  return [...notes, ...doubtful.map(({ title, now }) => doubtfulNote(title, now, file))];
}

function doubtfulNote(title: string, now: Milliseconds, file: string): string {
  return `The times of ${file} are rounded: ${title} has ${now} ms, may have taken ${now - COARSE_STEP / 2} ms, and may be slower by rounding only. For a sharp limit, use mcp-record record --timing exact.`;
}

/** Share of the limit above which an answer passes only just. */
const NEAR = 0.8;

/** A recorded time that is long by chance lets a server pass that became slower by the whole factor. */
function nearNote({ title, time, now = 0 }: RecordedTime, factor: number): string {
  return `${title} took ${Math.round(now)} ms, and may take ${Math.round(factor * time)} ms, since it was recorded once with ${Math.round(time)} ms. For a sharp limit, record it again while the machine is idle, or use a lower factor.`;
}

/** Maximum number of requests that a note names. */
const SHOWN_MAX = 3;

function firstTitles(titles: ReadonlySet<string>): string {
  const more = titles.size - SHOWN_MAX;
  return `${[...titles].slice(0, SHOWN_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Rounding step of recorders for times from 100 ms on. */
const COARSE_STEP: Milliseconds = 100;

/** Rounding step of recorders for shorter times. All rounded times are multiples of this step. */
const FINE_STEP: Milliseconds = 10;

/** Returns the shortest time if all times look rounded. Rounding changes the shortest one most. */
function roundedMost(times: readonly RecordedTime[]): RecordedTime | undefined {
  if (!times.every(({ time }) => isRounded(time))) return undefined;
  return times.reduce((a, b) => (b.time < a.time ? b : a));
}

/** Reports whether a time looks rounded. Sums of rounded times do, too. */
function isRounded(time: Milliseconds): boolean {
  return Math.abs(time - Math.round(time / FINE_STEP) * FINE_STEP) <= 1e-6;
}

function roundedNote({ title, time }: RecordedTime, factor: number): string {
  const least = Math.max(SHORTEST, time - COARSE_STEP / 2);
  return `The times of the cassette are rounded: ${title} has ${time} ms, may have taken ${least} ms, and passes up to ${Math.round(factor * time)} ms. For a sharp limit, use mcp-record record --timing exact.`;
}

/** Reports whether the duration of answers to a method is compared. */
export function isTimed(method: string): boolean {
  return !OPENINGS.has(method);
}

/**
 * Checks that a cassette has times to compare with.
 * @throws McpRecordError CASSETTE_WITHOUT_TIMES
 */
export function requireTimes({ file, events }: Cassette): void {
  const [first] = events;
  if (events.some(({ frame }) => frame.at !== first!.frame.at)) return;
  throw new McpRecordError({
    code: 'CASSETTE_WITHOUT_TIMES',
    what: `Cannot say what is slower than in ${file}`,
    why: 'it has no times: it was written by hand, or by mcp-record record --timing none',
    next: 'Record it again with times, or leave the option out.',
  });
}
