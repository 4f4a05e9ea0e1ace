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

/** A client or server under test, with the fault that it fails under. */
export interface FailingProgram {
  /**
   * Runs the program with the fault at the message at `line`. Undefined: there is no such message, or the program cannot
   * be run with this cassette. `isSearch`: a later run confirms what is found, so that this one may be shorter.
   */
  attempt(cassette: Cassette, line: number, isSearch: boolean): Promise<Observation | undefined>;
  /**
   * Reports whether the program ends well without the fault. Absent: `attempt` compares with runs without it.
   */
  endsWell?(cassette: Cassette, line: number): Promise<boolean>;
}

/** Reports whether an observation is a failure. Of a point that was not reached, nothing is known. */
export function isFailure(observation: Observation | undefined): observation is Observation {
  return observation?.isBad === true && observation.verdict !== 'unreached';
}

/** Reports whether two observations are the same failure. */
export function isSameFailure(one: Observation, other: Observation | undefined): boolean {
  return isFailure(other) && other.verdict === one.verdict && other.cause === one.cause;
}
