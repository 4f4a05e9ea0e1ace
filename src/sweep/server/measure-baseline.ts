import type { Cassette } from '../../cassette/cassette.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { isRequest } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { failedSteps } from '../../text-report/outcome-model.ts';
import type { LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import type { Limits } from '../concurrency-limiter.ts';
import { type ExpectedSessions, timeOfRuns } from '../expected-duration.ts';
import { appendRepeat, isCalledAgain, isLastCall } from './append-last-call.ts';
import { type InFlightWindows, inFlightWindows } from './in-flight-window.ts';
import { type Baseline, baselineOf, unexpectedDifferences } from './judge/baseline.ts';
import { baselineError } from './judge/baseline-error.ts';
import type { PlayedCase } from './misbehaviour-cases.ts';
import { type PlayedSession, quietTime } from './play-session.ts';
import { SHARING_MAX } from './shared-fresh-sessions.ts';

export interface MeasureBaselineOptions {
  cassette: Cassette;
  ignore: readonly Ignore[];
  /** Deadline that the user has set. */
  deadline: Milliseconds | undefined;
  /** Plays a session without misbehaviour. */
  play(): Promise<PlayedSession>;
}

export interface MeasuredBaseline {
  baseline: Baseline;
  /** One of the sessions without misbehaviour. */
  session: PlayedSession;
  /** How long the server works on each request. */
  inFlight: InFlightWindows;
  /** Limit for one answer of later sessions, and for the exit of the server process. */
  deadline: Milliseconds;
  /** Duration of the slowest answer. */
  slowest: Milliseconds;
  without: WithoutMisbehaviour;
}

/** Behaviour of the server without misbehaviour, which is never counted as an effect of a misbehaviour. */
export interface WithoutMisbehaviour {
  /** Deadline for the sessions with misbehaviours. */
  deadline: Milliseconds;
  /** Number of places where the server differs from the cassette. */
  unlikeCassette: number;
  /** Requests whose answers differ between two of these sessions, so that no change is found there. */
  varying: UntestedRequest[];
  /** Processes that outlived the server. */
  left: LeftProcesses;
}

const DEADLINE_MIN: Milliseconds = 2_000;
/** Deadline of sessions before anything is measured. */
export const BASELINE_DEADLINE: Milliseconds = 10_000;
const TIMES = 10;

/**
 * Plays sessions without misbehaviour, and measures the server with them.
 * @throws McpRecordError `SWEEP_BASELINE` if the server fails, or the error of a failed connection
 */
export async function measureBaseline(options: MeasureBaselineOptions): Promise<MeasuredBaseline> {
  const { cassette, ignore, deadline, play } = options;
  // The first run may create files or database entries, which all later runs find.
  const first = await play();
  const error = baselineError(first, cassette);
  if (error) throw error;
  const differing = failedSteps(compareSession({ file: cassette.file, driven: first.run, ignore }));
  const sessions = await ordinarySessions(first, play);
  const durations = [first, ...sessions].flatMap(({ run }) => run.exchanges.map(({ duration }) => duration));
  const slowest = Math.max(...durations);
  const baseline = baselineOf(sessions);
  const limit = deadline ?? Math.max(DEADLINE_MIN, TIMES * slowest);
  return {
    baseline,
    session: sessions[1],
    inFlight: inFlightWindows([first, ...sessions]),
    deadline: limit,
    slowest,
    without: {
      deadline: limit,
      unlikeCassette: differing.filter(({ line }) => !isLastCall(line)).length,
      varying: varyingRequests(sessions[1], baseline),
      left: baseline.left,
    },
  };
}

/** Maximum number of places that are named of one answer. */
const PLACES_MAX = 3;

/** Returns the recorded requests whose answers are not compared as a whole. */
function varyingRequests({ run }: PlayedSession, { unstable }: Baseline): UntestedRequest[] {
  return run.plan.entries.flatMap(({ index, line, message }): UntestedRequest[] => {
    const places = unstable.get(index) ?? [];
    if (places.length === 0 || !isRequest(message) || isLastCall(line)) return [];
    const more = places.length > PLACES_MAX ? ` and ${places.length - PLACES_MAX} more` : '';
    const where = `${places.slice(0, PLACES_MAX).join(', ')}${more}`;
    const why = `its answer differs between two sessions without a misbehaviour, so no change is found there: ${where}`;
    return [{ title: subjectOf(message.method, message.params), line, why }];
  });
}

/**
 * Returns two sessions for the baseline. If the first two differ, the first one may have created state, so the second
 * and a third session are compared.
 */
async function ordinarySessions(
  first: PlayedSession,
  play: () => Promise<PlayedSession>,
): Promise<[PlayedSession, PlayedSession]> {
  const second = await play();
  const { unstable } = baselineOf([first, second]);
  const isStable = [...unstable.values()].every((places) => places.length === 0);
  return isStable ? [first, second] : [second, await play()];
}

/**
 * Estimates the duration of all sessions: two for each point, with and without its misbehaviour. Points that run at
 * once share the latter over stdio. In addition, each misbehaved request is first repeated in a session, and over HTTP
 * in two more.
 */
export function expectedSessions(
  { session: { run }, deadline }: Pick<MeasuredBaseline, 'session' | 'deadline'>,
  sessions: readonly (readonly PlayedCase[])[],
  room: Limits,
): ExpectedSessions {
  const { duration: session } = run;
  const requests = sessions.flat().filter(({ what }) => what.kind === 'request');
  const repeats = (run.isProcess ? 1 : 3) * new Set(requests.map(({ what }) => what.entry.event)).size;
  const shared = run.isProcess ? Math.min(SHARING_MAX, room.all) : 1;
  const each = (1 + 1 / shared) * session + quietTime(deadline);
  return { session, deadline, usual: repeats * session + timeOfRuns(sessions.length, each, room) };
}

/** Session that repeats the misbehaved requests at its end, with its baseline. */
export interface RepeatingSession {
  cassette: Cassette;
  baseline: Baseline;
}

/** Request of which something is not tested. */
export interface UntestedRequest {
  title: string;
  line: number;
  /** Reason, with the gap in testing that results. */
  why: string;
}

export interface RepeatingSessions {
  /** Returns the session of points that happen in one session. */
  of(cases: readonly PlayedCase[]): RepeatingSession;
  /** Requests that no session repeats after a misbehaviour. */
  notRepeated: UntestedRequest[];
  /** Measures all sessions again, after a misbehaviour has changed what the server stores. */
  renew(): Promise<void>;
}

export interface RepeatRequestsOptions extends RepeatingSession {
  /** The points of each session. */
  sessions: readonly (readonly PlayedCase[])[];
  /** Plays a session without misbehaviour. */
  play(cassette: Cassette): Promise<PlayedSession>;
}

/**
 * Appends the misbehaved requests to each session, and plays each session once without misbehaviour. A call of a tool
 * with possible side effects is repeated only if the repetition gets the same answer.
 */
export async function repeatRequests(options: RepeatRequestsOptions): Promise<RepeatingSessions> {
  const { sessions, play, ...plain } = options;
  const known = new Map<string, RepeatingSession>([['', plain]]);
  const repeatable = new Set<number>();
  const eventsOf = (cases: readonly PlayedCase[]) => [
    ...new Set(cases.flatMap(({ what }) => (what.kind === 'request' ? [what.entry.event] : []))),
  ];
  const keyOf = (cases: readonly PlayedCase[]) => eventsOf(cases).filter((event) => repeatable.has(event));
  const requests = new Map(
    sessions.flat().flatMap(({ what }) => (what.kind === 'request' ? [[what.entry.event, what] as const] : [])),
  );
  const notRepeated: UntestedRequest[] = [];
  for (const [event, { entry }] of requests) {
    const found = await repeatedOnce(event, plain, play);
    if (!('why' in found)) {
      repeatable.add(event);
      known.set(String(event), found);
    } else if (!isCalledAgain(plain.cassette, event) && isRequest(entry.message)) {
      const { method, params } = entry.message;
      const why = `it is never called again, so what is left for its next call is not tested: ${found.why}`;
      notRepeated.push({ title: subjectOf(method, params), line: entry.line, why });
    }
  }
  for (const cases of sessions) {
    const events = keyOf(cases);
    const [first, second] = events;
    if (first === undefined || second === undefined || known.has(events.join())) continue;
    const one = known.get(String(first))!;
    const both = await repeatedOnce(second, one, play);
    known.set(events.join(), 'why' in both ? one : both);
  }
  return {
    of: (cases) => known.get(keyOf(cases).join()) ?? known.get('')!,
    notRepeated,
    async renew() {
      for (const [key, { cassette, baseline }] of known) {
        // A repeated call may store something in each session, so two sessions in a row differ.
        const sessions = [await play(cassette), await play(cassette)] as const;
        known.set(key, { cassette, baseline: baselineOf(sessions, baseline) });
      }
    },
  };
}

/** Returns a session that repeats one more request, or why the request cannot be repeated. */
async function repeatedOnce(
  event: number,
  { cassette, baseline }: RepeatingSession,
  play: RepeatRequestsOptions['play'],
): Promise<RepeatingSession | { why: string }> {
  const added = appendRepeat(cassette, event);
  if ('why' in added) return added;
  const session = await play(added.cassette);
  const { entries } = session.run.plan;
  const first = entries.find((entry) => entry.event === event)?.index ?? -1;
  const last = entries.findLast(({ line, message }) => isLastCall(line) && isRequest(message))?.index ?? -1;
  if (!session.answers.has(last)) return { why: 'the server does not answer it a second time' };
  const { answers, unstable, ...measured } = baselineOf([session], baseline);
  const places = unstable.get(first) ?? [];
  const changes = unexpectedDifferences({ answers, unstable: new Map([[first, places]]) }, first, answers.get(last));
  if (!added.isHarmless && changes.length > 0) return { why: 'a second call is answered otherwise' };
  return {
    cassette: added.cassette,
    baseline: { ...measured, answers, unstable: new Map([...unstable, [last, places]]) },
  };
}
