import type { Side } from '../channel/frame.ts';
import type { FaultTransport } from '../faults/fault.ts';
import type { Rule } from '../faults/rules/fault-rule.ts';
import type { Milliseconds } from '../kernel/clock.ts';

/** A scenario: the played cassette, its faults, and the expectations. */
export interface Scenario {
  /** Path of the scenario file. */
  file: string;
  /** Path of the cassette. */
  cassette: string;
  /** Played side: `server` to a client under test, `client` to a server under test. */
  play: Side;
  /** What the program under test is reached by. */
  transport: FaultTransport;
  /** Timing, as in `--timing`. */
  timing: string;
  /** Seed for the randomness of faults. */
  seed: number;
  rules: readonly Rule[];
  /** Rules as written in the file. */
  faults: readonly unknown[];
  /** Maximum duration of the scenario. */
  deadline: Milliseconds;
  /** Maximum wait of the played client for one answer. */
  patience: Milliseconds;
  /** Whether a request missing in the cassette fails the scenario. */
  misses: 'fail' | 'report';
  /** Absent: the scenario has faults in place of a point. */
  point?: ScenarioPoint;
  expect: readonly Expectation[];
}

/** A point of a sweep, which a scenario plays in place of faults. */
export interface ScenarioPoint {
  /** Name, as `--point` has it. */
  name: string;
  /** Parameters of the fault. Absent: those of the sweep. */
  params?: Readonly<Record<string, unknown>>;
  /** Maximum wait for a server's answer. Absent: the scenario sets no limit. */
  patience?: Milliseconds;
}

/** Expectation with its line in the scenario. */
export type Expectation = { line: number } & (
  | CallExpectation
  | FaultExpectation
  | SessionExpectation
  | VerdictExpectation
  | ExitExpectation
);

/** Outcome of a request, as observed by its sender. `cancelled`: cancelled before an answer arrived. */
export type Fate = 'succeeds' | 'fails' | 'cancelled' | 'unanswered';

/** Expected outcome of calls. Without `nth`: all calls of the method and name, at least one. */
export interface CallExpectation {
  /** The method. */
  call: string;
  /** Name of the tool or prompt, or URI of the resource. */
  name?: string;
  /** Only the n-th such call, counted from 1. */
  nth?: number;
  /** Expected outcome. `never`: no such call. */
  ends: Fate | 'never';
  /** Code of the expected JSON-RPC error. */
  code?: number;
  /** Maximum time from request to answer or cancellation. */
  within?: Milliseconds;
}

/** Expected number of times that a rule fires. */
export interface FaultExpectation {
  /** Position in the scenario's faults, from 1. */
  fault: number;
  /** Absent: at least once. */
  fires?: number;
}

/** Expected side that ends the session. */
export interface SessionExpectation {
  session: Side;
  /** Exit status of the server, or the signal that ended it. */
  status?: number | string;
}

/** Expected verdict of a point. */
export interface VerdictExpectation {
  verdict: 'good';
}

/** Expected exit of the client under test. */
export interface ExitExpectation {
  /** Exit status of the client, or the signal that ended it. */
  exit: number | string;
  within?: Milliseconds;
}
