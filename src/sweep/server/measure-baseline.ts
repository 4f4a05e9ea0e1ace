import type { Cassette } from '../../cassette/cassette.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { failedSteps } from '../../text-report/outcome-model.ts';
import type { LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { compareSession } from '../../verify/compare/compare-session.ts';
import { isLastCall } from './append-last-call.ts';
import { baselineError } from './baseline-error.ts';
import { type InFlightWindows, inFlightWindows } from './in-flight-window.ts';
import { type Baseline, baselineOf } from './judge/baseline.ts';
import type { PlayedSession } from './play-session.ts';

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
  without: WithoutMisbehaviour;
}

/** What a server does by itself, so that no misbehaviour is blamed for it. */
export interface WithoutMisbehaviour {
  /** Number of places where the server differs from the cassette. */
  unlikeCassette: number;
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
  const baseline = baselineOf(sessions);
  return {
    baseline,
    session: sessions[1],
    inFlight: inFlightWindows([first, ...sessions]),
    deadline: deadline ?? Math.max(DEADLINE_MIN, TIMES * Math.max(...durations)),
    without: {
      unlikeCassette: differing.filter(({ line }) => !isLastCall(line)).length,
      left: baseline.left,
    },
  };
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
