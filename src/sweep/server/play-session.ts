import type { Cassette } from '../../cassette/cassette.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Fired } from '../../faults/engine/fault-injector.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import type { McpRecordError } from '../../kernel/errors.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { isRequest } from '../../protocol/message.ts';
import type { SendOrder } from '../../replay/plan/send-order.ts';
import type { LeftProcesses } from '../../transports/stdio/leftover-processes.ts';
import { gatherAnswers } from '../../verify/compare/gather-answers.ts';
import { runRecordedClient, type ServerRun } from '../../verify/run/run-recorded-client.ts';
import { isAnsweredBefore } from './in-flight-window.ts';
import { needsResponse } from './misbehaviour.ts';
import type { PlayedCase } from './misbehaviour-cases.ts';
import type { OtherClient } from './misbehaviours/other-http-client.ts';
import { type Observations, observeServer } from './observed-server.ts';
import type { ServerConnection, ServerUnderTest } from './server-under-test-types.ts';
import { rulesOf } from './two-misbehaviours-per-session.ts';

export interface PlaySessionOptions {
  cassette: Cassette;
  target: ServerUnderTest;
  clock: Clock;
  /** Time limit for one answer, and for the exit of the server process. */
  deadline: Milliseconds;
  /** Separate time limit for the exit of the server process. Absent: `deadline` applies. */
  grace?: Milliseconds;
  ignore: readonly Ignore[];
  /** Misbehaviours, in the order of their messages. Absent: the client behaves as recorded. */
  points?: readonly PlayedCase[] | undefined;
  /** Messages of the client that keep their order. */
  order?: SendOrder | undefined;
  /** Answers a question of the server as often as it comes. Absent: as often as it was recorded. */
  repeat?: 'last';
  /** Called when the client has misbehaved for the last time. */
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
  /** Whether all misbehaviours happened. */
  hasFired: boolean;
  /** Whether the first misbehaviour happened. */
  hasFiredFirst: boolean;
  /** Reason why the misbehaviour would have changed nothing and therefore did not happen. */
  unchanged?: string;
  /** Whether the answer arrived before a misbehaviour of a request in flight. */
  isTooLate: boolean;
  /** Processes that outlived the server, or kept its output open. */
  left: LeftProcesses;
  /** Whether the server has issued a session id, over HTTP. */
  hasSession: boolean;
  /** What another client ended by DELETE, over HTTP, with the HTTP status of the answer. Undefined: none came in time. */
  deletes: OtherClient['deletes'];
  /** Whether the process exited without a signal of ours. */
  hasExited: boolean;
  /** Last part of the process's standard error. */
  stderr: string;
}

/**
 * Plays the recorded client once to a server, and misbehaves where `points` say so.
 * @throws McpRecordError where the server was never there
 */
export async function playSession(options: PlaySessionOptions): Promise<PlayedSession> {
  const { cassette, target, clock, deadline, grace = deadline, ignore, points = [], order, repeat, fired } = options;
  let connection: ServerConnection | undefined;
  const otherClient = target.otherClient?.({ initialize: initializeIn(cassette), patience: quietTime(deadline) });
  const happened = new Set<PlayedCase>();
  let unchanged: string | undefined;
  let hasExited = false;
  try {
    const { run, seen } = await new Promise<{ run: ServerRun; seen: Observations }>((resolve, reject) => {
      const session = rulesOf(points, otherClient);
      const misbehave = ({ rule, id }: Fired) => {
        const point = session.points[rule - 1]!;
        happened.add(point);
        if (happened.size === points.length) fired?.();
        observed?.misbehaved();
        // The fault injector sends its frames within this turn of the event loop.
        clock.endOfTurn(() => afterMisbehaviour(point, id));
      };
      const afterMisbehaviour = ({ misbehaviour, what, inFlight }: PlayedCase, id: Fired['id']) => {
        if (observed === undefined) return;
        const { ends, asksAgain, againId, isInFlight } = misbehaviour;
        const own = what.kind === 'request' && id !== undefined ? JSON.stringify(id) : undefined;
        let wait = quietTime(deadline) + (isInFlight && inFlight ? inFlight.duration : 0);
        if (asksAgain && own !== undefined && target.transport === 'stdio') {
          const all = deadline / 2;
          observed.awaitAll([own, againId ?? own], 1 + asksAgain, all);
          wait += all;
        }
        // Over HTTP, a notification or an answer that is lost takes no request with it.
        const isAlone = target.transport === 'http' && what.kind !== 'request';
        if (ends?.includes(target.transport)) clock.after(LEAVES_AFTER, observed.leave);
        else if (!needsResponse(misbehaviour) && !isAlone) observed.giveUp(wait, own);
      };
      let observed: ReturnType<typeof observeServer> | undefined;
      target
        .connect({
          rules: session.rules,
          patience: deadline,
          grace,
          fired: misbehave,
          unchanged: (one) => {
            ({ unchanged } = one);
          },
          copyAnswered: (answer) => observed?.hearCopy({ ...answer, at: clock.now() }, quietTime(deadline)),
          failed: (error: McpRecordError) => reject(error),
        })
        .then((made) => {
          connection = made;
          observed = observeServer(made.server, clock);
          const { server, seen } = observed;
          return runRecordedClient({ cassette, server, clock, ignore, patience: deadline, order, repeat }).then(
            (run) => ({
              run,
              seen,
            }),
          );
        })
        .then(resolve, reject);
    });
    hasExited = connection?.hasExited() ?? false;
    const isTooLate = points.some(({ misbehaviour, what, inFlight }) => {
      return misbehaviour.isInFlight && inFlight && isAnsweredBefore(what.entry.event, inFlight, { run, seen });
    });
    const { answers, unanswered } = gatherAnswers(run, [...VOLATILE, ...ignore]);
    return {
      run,
      seen,
      answers: new Map(answers.map(({ request, live }) => [request.index, live])),
      unanswered: new Set([...unanswered, ...cutAtTheEnd(run)].map(({ index }) => index)),
      hasFired: happened.size === points.length && points.length > 0 && !isTooLate,
      hasFiredFirst: points[0] !== undefined && happened.has(points[0]),
      ...(unchanged !== undefined && { unchanged }),
      isTooLate,
      left: connection?.left(),
      hasSession: connection?.server.hasSession?.() ?? false,
      deletes: otherClient?.deletes ?? [],
      hasExited,
      stderr: run.noise
        .flatMap(({ on, data }) => (on === 'stderr' && typeof data === 'string' ? [data] : []))
        .join('\n'),
    };
  } finally {
    otherClient?.close();
    await connection?.close();
  }
}

/** Returns the request that opens a session, as JSON text. Undefined: it has none. */
function initializeIn({ events }: Cassette): string | undefined {
  const opening = eventsToEntries(events).find(({ message }) => isRequest(message) && message.method === 'initialize');
  return opening?.json?.text;
}

/**
 * Returns the requests that were still open when the client stopped waiting for them, and that got a failure then: a server
 * over HTTP ends its streams when the session ends.
 */
function cutAtTheEnd({ exchanges }: ServerRun): SessionEntry[] {
  return exchanges.filter(({ isLate, refusal }) => isLate && refusal !== undefined).map(({ request }) => request);
}

const SAID_LENGTH = 4_000;

/** Joins the last parts of the standard error of several sessions. */
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
export function quietTime(deadline: Milliseconds): Milliseconds {
  return Math.max(QUIET_MIN, deadline / PART);
}
