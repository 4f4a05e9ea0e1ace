import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { type FaultCase, happenedOf } from './fault-cases.ts';
import { type Ended, runCommand } from './run-command.ts';
import { type ServerAddress, substituteAddress } from './server-address.ts';
import type { Ran } from './verdict.ts';
import { firedIn, type Noted } from './withheld-response-arrival.ts';

/** The recorded server for one run of the command. */
export interface MockTarget {
  at: ServerAddress;
  /** Returns the fired rules of the run, and those whose fault changed nothing, in order. */
  journal(): readonly Noted[];
  /** Reports whether the command has connected to the mock server. */
  reached(): boolean;
  /** Returns a text about each request of the run that the cassette does not answer. */
  unserved(): readonly string[];
  /** Called at the end of the run. */
  clear(): Promise<void>;
}

export interface AttemptOptions {
  /** The client under test. */
  command: readonly string[];
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Fault of the run. Absent: a run without a fault. */
  point?: FaultCase | undefined;
  /** Starts the recorded server. */
  target(): Promise<MockTarget>;
  deadline: Milliseconds;
  /** Called soon after the fault has fired. */
  fired?(): void;
}

/** Observations of one run of the command, with what its mock server saw. */
export interface Attempt extends Ran, Ended {
  at: ServerAddress;
  reached: boolean;
  journal: readonly Noted[];
  /** A text about each request that the cassette does not answer. */
  unserved: readonly string[];
}

/** Findings of a mock server about requests that the cassette does not answer. */
export const UNSERVED: ReadonlySet<string> = new Set(['miss', 'unanswerable', 'refused']);

/** Interval of checks whether the fault has fired. */
const LOOK_EVERY: Milliseconds = 50;

/** Runs the command once, against a mock server of its own. */
export async function attemptRun({
  command,
  point,
  target,
  env,
  clock,
  deadline,
  fired,
}: AttemptOptions): Promise<Attempt> {
  const { at, journal, reached, unserved, clear } = await target();
  let stopLooking = () => {};
  const look = () => {
    if (happenedOf(point, journal()).fired) fired?.();
    else stopLooking = clock.after(LOOK_EVERY, look);
  };
  if (fired) look();
  let ended: Ended;
  try {
    ended = await runCommand({ ...substituteAddress(at, command, env), deadline, clock, isMarked: true });
  } finally {
    stopLooking();
    await clear();
  }
  // The end of the server tells why a fault that waited for something did not happen.
  const noted = journal();
  const seen = { reached: reached(), at, journal: firedIn(noted), unserved: unserved() };
  return { ...ended, ...happenedOf(point, noted), ...seen };
}
