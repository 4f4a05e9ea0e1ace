import type { Cassette } from '../../cassette/cassette.ts';

/** Result of a program under test at one point of a sweep. */
export interface Observation {
  /** Name of the point in this cassette. */
  point: string;
  /** Title of the message. */
  title: string;
  verdict: string;
  /** Whether the verdict fails a sweep. */
  isBad: boolean;
  /** Description of the failure without names and values of single messages. */
  cause: string;
  /** What went wrong, for people. */
  why?: string;
  /** Last part of standard error. */
  stderrTail: string;
  /** A text about each request of a client that the cassette does not answer. */
  unserved?: readonly string[];
}

/** Client or server under test, together with one or two faults that make it fail. */
export interface FailingProgram {
  /**
   * Runs the program with the faults at the messages at `lines`. Undefined: the cassette has no such messages, or the
   * program cannot run with this cassette. `isSearch`: this run may be shorter, because a later run confirms its
   * result.
   */
  attempt(cassette: Cassette, lines: readonly number[], isSearch: boolean): Promise<Observation | undefined>;
  /**
   * Returns how the program fails without the faults. Undefined: it succeeds. Absent: `attempt` itself compares with runs
   * without faults.
   */
  failureWithoutFaults?(cassette: Cassette, lines: readonly number[]): Promise<string | undefined>;
  /** Whether only whole messages may be taken away. */
  keepsMessages?: boolean;
}

/** Verdicts about which nothing is to be shrunk: nothing was tested, or another point has the finding. */
const NO_FAILURES: ReadonlySet<string> = new Set(['unreached', 'single']);

/** Reports whether an observation is a failure of its point. */
export function isFailure(observation: Observation | undefined): observation is Observation {
  return observation?.isBad === true && !NO_FAILURES.has(observation.verdict);
}

/** Reports whether two observations are the same failure. */
export function isSameFailure(one: Observation, other: Observation | undefined): boolean {
  return isFailure(other) && other.verdict === one.verdict && other.cause === one.cause;
}
