import type { Milliseconds } from '../kernel/clock.ts';
import { formatCount } from '../kernel/format-count.ts';
import type { Limits } from './concurrency-limiter.ts';
import { type GridPoint, rowOf } from './grid-text.ts';

/** Formats how many points a sweep has: `9 points: 3 faults at 3 messages`. `fault`: what the points of one row have. */
export function pointsText(points: readonly GridPoint[], fault: string): string {
  const faults = new Set(points.map(rowOf)).size;
  const messages = new Set(points.map(({ message }) => message)).size;
  return `${formatCount(points.length, 'point')}: ${formatCount(faults, fault)} at ${formatCount(messages, 'message')}`;
}

/** Returns the time of equal runs, of which `busy` are always under way. */
export function timeOfRuns(count: number, each: Milliseconds, { busy }: Pick<Limits, 'busy'>): Milliseconds {
  return Math.ceil(count / busy) * each;
}

const SECOND: Milliseconds = 1_000;
const MINUTE: Milliseconds = 60 * SECOND;
const HOUR: Milliseconds = 60 * MINUTE;
/** Largest number of a unit, before the next larger unit is used. */
const NUMBER_MAX = 90;

/** Formats a time in its unit, rounded up, so that a limit stays one: `12 s`, `3 min`. */
export function roundedUpTime(time: Milliseconds): string {
  if (time <= NUMBER_MAX * SECOND) return `${Math.max(1, Math.ceil(time / SECOND))} s`;
  if (time <= NUMBER_MAX * MINUTE) return `${Math.ceil(time / MINUTE)} min`;
  return `${Math.ceil(time / HOUR)} h`;
}

/** Input for an estimate of the duration of a client sweep, measured in a run without a fault. */
export interface ExpectedRuns {
  /** Number of runs. */
  count: number;
  /** Number of possible additional runs: in a sweep of pairs, each fault alone. */
  later?: number;
  /** Duration of the run without a fault. */
  first: Milliseconds;
  /** Maximum duration of a run. */
  deadline: Milliseconds;
  /** Maximum time that a run takes beyond its deadline. */
  afterEnd: Milliseconds;
  room: Limits;
}

/** Returns the maximum duration of all runs of a client, if each run uses up its deadline. */
export function longestRuns({ count, later = 0, deadline, afterEnd, room }: Omit<ExpectedRuns, 'first'>): Milliseconds {
  const each = deadline + afterEnd;
  return timeOfRuns(count, each, room) + timeOfRuns(later, each, room);
}

/** Says how long the runs of a client take. */
export function expectedRunsText(expected: ExpectedRuns): string {
  const { count, first, deadline, room } = expected;
  const usual = roundedUpTime(timeOfRuns(count, first, room));
  const most = roundedUpTime(longestRuns(expected));
  return `The first run took ${Math.round(first)} ms, and each other may take ${Math.round(deadline)} ms: about ${usual} in all, and ${most} at most.`;
}

/** Input for an estimate of the duration of a server sweep, measured in sessions without misbehaviour. */
export interface ExpectedSessions {
  /** Duration of a session without misbehaviour. */
  session: Milliseconds;
  /** Limit for one answer. */
  deadline: Milliseconds;
  /** Duration of all sessions that follow, if none takes longer than those without misbehaviour. */
  usual: Milliseconds;
}

/** Options of a sweep that says how long it takes. */
export interface Announcing {
  /** Called before the first point, with how long all points take. */
  measured?(expected: ExpectedSessions): void;
}

/** Says how long the sessions of a server take. Their number depends on what is found, so nothing limits their time. */
export function expectedSessionsText({ session, deadline, usual }: ExpectedSessions): string {
  return `A session as recorded took ${Math.round(session)} ms, and each answer may take ${Math.round(deadline)} ms: about ${roundedUpTime(usual)} in all. A missing answer takes its whole time, and a bad point runs again alone.`;
}
