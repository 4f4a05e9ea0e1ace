import type { Side } from '../channel/frame.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import type { Milliseconds } from '../kernel/clock.ts';

/** What a file says shall be played to whom, what shall go wrong, and what is expected then. */
export interface Scenario {
  /** The scenario's own file. */
  file: string;
  /** Path of the cassette. */
  cassette: string;
  /** The side that is played: `server` to a client under test, `client` to a server under test. */
  play: Side;
  /** As `--timing` has it. */
  timing: string;
  /** What chance draws from. */
  seed: number;
  rules: readonly Rule[];
  /** The rules as they stand in the file. */
  faults: readonly unknown[];
  /** The longest that the whole may take. */
  deadline: Milliseconds;
  /** How long the played client waits for one answer. */
  patience: Milliseconds;
  /** Whether a request that the cassette does not have fails the scenario. */
  misses: 'fail' | 'report';
  expect: readonly Expectation[];
}

/** An expectation with its line in the file. */
export type Expectation = { line: number } & (
  | CallExpectation
  | FaultExpectation
  | SessionExpectation
  | ExitExpectation
);

/** What became of a request, as its sender saw it. `cancelled`: given up before an answer came. */
export type Fate = 'succeeds' | 'fails' | 'cancelled' | 'unanswered';

/** Expected outcome of calls. Without `nth`: all calls of the method and name, at least one. */
export interface CallExpectation {
  /** The method. */
  call: string;
  /** Of the tool, the prompt, or the resource. */
  name?: string;
  /** Only the n-th such call, counted from 1. */
  nth?: number;
  /** `never`: there is no such call. */
  ends: Fate | 'never';
  /** Code of the expected JSON-RPC error. */
  code?: number;
  /** How long it takes at most, from request to answer or cancel. */
  within?: Milliseconds;
}

/** How often a rule fires. */
export interface FaultExpectation {
  /** Position among the faults of the scenario, from 1. */
  fault: number;
  /** Absent: at least once. */
  fires?: number;
}

/** Who ends the session. */
export interface SessionExpectation {
  session: Side;
  /** The exit status of the server, or the signal that ended it. */
  status?: number | string;
}

/** How the client under test ends. */
export interface ExitExpectation {
  /** Its exit status, or the signal that ended it. */
  exit: number | string;
  within?: Milliseconds;
}
