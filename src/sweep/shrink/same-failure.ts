import type { Cassette } from '../../cassette/cassette.ts';

/** Observation of a program under test at one point of a sweep. */
export interface Observation {
  /** Name of the point in this cassette. */
  point: string;
  /** Title of the message. */
  title: string;
  verdict: string;
  /** Whether the verdict fails a sweep. */
  isBad: boolean;
  /** What went wrong, without names and values of single messages. */
  cause: string;
  /** What went wrong, for people. */
  why?: string;
  /** Last part of standard error. */
  stderrTail: string;
}

/** A client or server under test, with the faults that it fails under: one, or a pair. */
export interface FailingProgram {
  /**
   * Runs the program with the faults at the messages at `lines`. Undefined: there are no such messages, or the program
   * cannot be run with this cassette. `isSearch`: a later run confirms what is found, so that this one may be shorter.
   */
  attempt(cassette: Cassette, lines: readonly number[], isSearch: boolean): Promise<Observation | undefined>;
  /**
   * Reports whether the program ends well without the faults. Absent: `attempt` compares with runs without it.
   */
  endsWell?(cassette: Cassette, lines: readonly number[]): Promise<boolean>;
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
