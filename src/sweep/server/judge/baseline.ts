import { type Difference, differences } from '../../../match/json-difference.ts';
import type { LeftProcesses } from '../../../transports/stdio/leftover-processes.ts';
import { isUncaught } from '../../uncaught-error.ts';
import type { PlayedSession } from '../play-session.ts';

/** Behaviour of a server in sessions without misbehaviour. */
export interface Baseline {
  /** Position of a recorded request → its answer. */
  answers: ReadonlyMap<number, unknown>;
  /** Positions of requests that one of these sessions left unanswered. */
  unanswered: ReadonlySet<number>;
  /** Its process needed a kill signal at the end of the session. */
  isKilled: boolean;
  /** Processes that outlived the server in a baseline session. */
  left: LeftProcesses;
  hasUncaught: boolean;
  /** Exit statuses of the server process after the end of its input. */
  statuses: ReadonlySet<number>;
  /** Number of responses without a request. */
  strays: number;
  /** Position of a recorded request → places of its answer that differ between two runs. */
  unstable: ReadonlyMap<number, readonly string[]>;
}

/**
 * Returns the baseline of sessions without misbehaviour. Parts of answers that differ between two of these sessions, or
 * were unstable in the baseline `before`, are ignored in later comparisons.
 */
export function baselineOf(sessions: readonly [PlayedSession, ...PlayedSession[]], before?: Baseline): Baseline {
  const last = sessions.at(-1)!;
  const unstable = new Map<number, readonly string[]>();
  const answers = new Map(last.answers);
  for (const index of answers.keys()) {
    const others = [...sessions.map((one) => one.answers), ...(before ? [before.answers] : [])];
    const places = others
      .filter((other) => other !== last.answers && other.has(index))
      .flatMap((other) => differences(answers.get(index), other.get(index)).map(({ path }) => anyIndex(path)));
    unstable.set(index, [...new Set([...places, ...(before?.unstable.get(index) ?? [])])]);
  }
  return {
    answers,
    unanswered: new Set(sessions.flatMap(({ unanswered }) => [...unanswered])),
    isKilled: sessions.some(({ run, hasExited }) => run.killed && !hasExited),
    left: sessions.find(({ left }) => left)?.left,
    hasUncaught: sessions.some(({ stderr }) => isUncaught(stderr)),
    statuses: new Set(
      sessions.flatMap(({ run: { exit, killed } }) =>
        !killed && typeof exit?.status === 'number' ? [exit.status] : [],
      ),
    ),
    strays: Math.max(...sessions.map(straysIn)),
    unstable,
  };
}

/** Returns the differences between a live answer and that of the baseline, except at unstable places. */
export function unexpectedDifferences(
  { answers, unstable }: Pick<Baseline, 'answers' | 'unstable'>,
  index: number,
  live: unknown,
): Difference[] {
  if (!answers.has(index)) return [];
  const places = unstable.get(index) ?? [];
  return differences(answers.get(index), live).filter(({ path }) => {
    const here = anyIndex(path);
    return !places.some((place) => here === place || here.startsWith(`${place}/`));
  });
}

/** Returns the number of responses that answer no request. */
export function straysIn({ seen, run }: Pick<PlayedSession, 'seen' | 'run'>): number {
  return seen.responses.filter(({ id }) => !seen.requestCounts.has(id) && !isInjected(id) && isOverStdio(run)).length;
}

/** Ids of requests that a misbehaviour makes up. */
function isInjected(id: string): boolean {
  return id.startsWith('"mcp-record:');
}

/** Over HTTP the client of a session tells refusals apart itself. */
function isOverStdio({ isProcess }: PlayedSession['run']): boolean {
  return isProcess;
}

function anyIndex(path: string): string {
  return path.replaceAll(/\/\d+(?=\/|$)/g, '/*');
}
