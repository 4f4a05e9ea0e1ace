import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { gatherAnswers } from '../../verify/compare/gather-answers.ts';
import { runRecordedClient, type ServerRun } from '../../verify/run/run-recorded-client.ts';
import { isAnsweredBefore } from './in-flight-window.ts';
import { needsResponse } from './misbehaviour.ts';
import { type PlayedCase, rulesOf } from './misbehaviour-cases.ts';
import { type Observations, observeServer } from './observed-server.ts';
import type { ServerConnection, ServerUnderTest } from './server-under-test-types.ts';

export interface PlaySessionOptions {
  cassette: Cassette;
  target: ServerUnderTest;
  clock: Clock;
  /** Limit for one answer, and for the exit of the server process. */
  deadline: Milliseconds;
  /** Limit for the exit of the server process, if it is another one. */
  grace?: Milliseconds;
  ignore: readonly Ignore[];
  /** Absent: a session without misbehaviour. */
  point?: PlayedCase | undefined;
  /** Called when the client misbehaves. */
  fired?: (() => void) | undefined;
}

/** Result of one session with a server. */
export interface PlayedSession {
  run: ServerRun;
  seen: Observations;
  /** Position of a recorded request → live answer without volatile values. */
  answers: ReadonlyMap<number, unknown>;
  /** Positions of requests with a recorded answer, but no live answer before the deadline. */
  unanswered: ReadonlySet<number>;
  /** Whether the misbehaviour happened. */
  hasFired: boolean;
  /** Why the misbehaviour would have changed nothing, and did not happen. */
  unchanged?: string;
  /** Whether the answer came before the misbehaviour, which was to happen to a request in flight. */
  isTooLate: boolean;
  /** Processes that outlived the server, or kept its output open. */
  left: LeftProcesses;
  /** Whether the server has issued a session id, over HTTP. */
  hasSession: boolean;
  /** Whether the process exited without a signal of ours. */
  hasExited: boolean;
  /** Last part of its standard error. */
  stderr: string;
}

/**
 * Plays the recorded client once to a server, and misbehaves where `point` says so.
 * @throws McpRecordError where the server was never there
 */
export async function playSession(options: PlaySessionOptions): Promise<PlayedSession> {
  const { cassette, target, clock, deadline, grace = deadline, ignore, point, fired } = options;
  let connection: ServerConnection | undefined;
  let hasFired = false;
  let unchanged: string | undefined;
  let hasExited = false;
  try {
    const { run, seen } = await new Promise<{ run: ServerRun; seen: Observations }>((resolve, reject) => {
      const misbehave = (id: string | number | undefined) => {
        hasFired = true;
        fired?.();
        observed?.misbehaved();
        // The fault injector sends its frames within this turn of the event loop.
        clock.endOfTurn(() => afterMisbehaviour(id));
      };
      const afterMisbehaviour = (id: string | number | undefined) => {
        if (point === undefined || observed === undefined) return;
        const { misbehaviour, what, inFlight } = point;
        const { ends } = misbehaviour;
        if (ends?.includes(target.transport)) clock.after(LEAVES_AFTER, observed.leave);
        else if (!needsResponse(misbehaviour)) {
          const isRequest = what.kind === 'request';
          const wait = quietTime(deadline) + (misbehaviour.isInFlight && inFlight ? inFlight.duration : 0);
          observed.giveUp(wait, isRequest && id !== undefined ? JSON.stringify(id) : undefined);
        }
      };
      let observed: ReturnType<typeof observeServer> | undefined;
      const rules = point ? rulesOf(point, target.transport) : [];
      target
        .connect({
          rules,
          patience: deadline,
          grace,
          fired: ({ id }) => misbehave(id),
          unchanged: (one) => {
            ({ unchanged } = one);
          },
          failed: (error: McpRecordError) => reject(error),
        })
        .then((made) => {
          connection = made;
          observed = observeServer(made.server, clock);
          const { server, seen } = observed;
          return runRecordedClient({ cassette, server, clock, ignore, patience: deadline }).then((run) => ({
            run,
            seen,
          }));
        })
        .then(resolve, reject);
    });
    hasExited = connection?.hasExited() ?? false;
    const { inFlight } = point?.misbehaviour.isInFlight ? point : {};
    const isTooLate = inFlight !== undefined && isAnsweredBefore(point!.what.entry.event, inFlight, { run, seen });
    const { answers, unanswered } = gatherAnswers(run, [...VOLATILE, ...ignore]);
    return {
      run,
      seen,
      answers: new Map(answers.map(({ request, live }) => [request.index, live])),
      unanswered: new Set(unanswered.map(({ index }) => index)),
      hasFired: hasFired && !isTooLate,
      ...(unchanged !== undefined && { unchanged }),
      isTooLate,
      left: connection?.left(),
      hasSession: connection?.server.hasSession?.() ?? false,
      hasExited,
      stderr: run.noise
        .flatMap(({ on, data }) => (on === 'stderr' && typeof data === 'string' ? [data] : []))
        .join('\n'),
    };
  } finally {
    await connection?.close();
  }
}

const SAID_LENGTH = 4_000;

/** Returns the last part of the standard error of sessions, one after the other. */
export function standardErrorOf(...sessions: readonly (PlayedSession | undefined)[]): string {
  return sessions
    .map((session) => session?.stderr ?? '')
    .join('\n')
    .trim()
    .slice(-SAID_LENGTH);
}

/**
 * Delay before a client leaves that ends the connection, in milliseconds: its last message has to reach the server
 * first.
 */
const LEAVES_AFTER: Milliseconds = 50;
const QUIET_MIN: Milliseconds = 300;
const PART = 8;

/** Returns the wait for an optional answer: an eighth of the deadline, at least `QUIET_MIN`. */
function quietTime(deadline: Milliseconds): Milliseconds {
  return Math.max(QUIET_MIN, deadline / PART);
}
