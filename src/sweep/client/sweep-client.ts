import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import { createLimiter, type Limits } from '../concurrency-limiter.ts';
import type { FaultCase } from './fault-cases.ts';
import { arrivedAnyway, hasFired, type Noted } from './response-recovery.ts';
import { type Ended, runCommand } from './run-command.ts';
import { type ServerAddress, substituteAddress, wayTo } from './server-address.ts';
import { unreachedServerError } from './unreached-server-error.ts';
import { type Ran, type Verdict, verdictOf } from './verdict.ts';

/** The recorded server for one run of the command. */
export interface MockTarget {
  at: ServerAddress;
  /** Returns the fired rules of the point, in order. */
  journal(): readonly Noted[];
  /** Reports whether the command has connected to the mock server. */
  reached(): boolean;
  /** Called at the end of the run. */
  clear(): Promise<void>;
}

export interface SweepOptions {
  /** The client under test. */
  command: readonly string[];
  points: readonly FaultCase[];
  /** Starts the recorded server with the fault of a point, or without faults. */
  target(point: FaultCase | undefined): Promise<MockTarget>;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Maximum number of concurrent runs. */
  room: Limits;
  /** Maximum duration of a run. Absent: ten times the duration without faults, at least 2 s. */
  deadline?: Milliseconds | undefined;
  /** Called with the result of each finished point. */
  done?(result: Result): void;
}

/** Result of one point. */
export interface Result {
  point: FaultCase;
  verdict: Verdict;
  duration: Milliseconds;
  status?: number;
  /** Last part of the command's standard error. */
  stderrTail: string;
}

const DEADLINE_MIN: Milliseconds = 2_000;
const TIMES = 10;
const BASELINE_MAX: Milliseconds = 120_000;
/** Interval of checks whether the fault has fired. */
const LOOK_EVERY: Milliseconds = 50;

/**
 * Runs a command once for each point, against the recorded server with that one fault.
 * @throws McpRecordError SWEEP_BASELINE where the command fails without any fault, SERVER_NOT_REACHED where it never
 * reaches the mock server, COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export async function sweep(options: SweepOptions): Promise<Result[]> {
  const { at, ...baseline } = await attempt(options, { deadline: BASELINE_MAX });
  if (baseline.status !== 0 || baseline.timedOut) throw fails(options.command, at, baseline);
  if (!baseline.reached)
    throw unreachedServerError({ subcommand: 'sweep', command: options.command, at, ended: baseline });
  const deadline = options.deadline ?? Math.max(DEADLINE_MIN, TIMES * baseline.duration);
  const enter = createLimiter(options.room);
  const run = async (point: FaultCase): Promise<Result> => {
    const place = await enter();
    const ended = await attempt(options, { point, deadline, fired: place.rest });
    place.leave();
    const { status, stderr: stderrTail, duration } = ended;
    const verdict = verdictOf(ended, point);
    const result: Result = { point, verdict, duration, stderrTail, ...(status !== undefined && { status }) };
    options.done?.(result);
    return result;
  };
  return await Promise.all(options.points.map(run));
}

interface Attempt {
  /** Absent: without any fault. */
  point?: FaultCase;
  deadline: Milliseconds;
  /** Called soon after the fault has fired. */
  fired?(): void;
}

async function attempt(
  { command, target, env, clock }: SweepOptions,
  { point, deadline, fired }: Attempt,
): Promise<Ran & Ended & { at: ServerAddress; reached: boolean }> {
  const { at, journal, reached, clear } = await target(point);
  let stopLooking = () => {};
  const look = () => {
    if (hasFired(journal())) fired?.();
    else stopLooking = clock.after(LOOK_EVERY, look);
  };
  look();
  try {
    const ended = await runCommand({ ...substituteAddress(at, command, env), deadline, clock });
    const happened = { fired: hasFired(journal()), cameAfterAll: arrivedAnyway(journal()) };
    return { ...ended, ...happened, reached: reached(), at };
  } finally {
    stopLooking();
    await clear();
  }
}

function fails(command: readonly string[], at: ServerAddress, { status, stderr, timedOut }: Ended): McpRecordError {
  const said = lastLines(stderr).join('\n    ');
  const { does, word, variable } = wayTo(at);
  return new McpRecordError({
    code: 'SWEEP_BASELINE',
    what: `Cannot sweep ${command.join(' ')}`,
    why: `it ${timedOut ? 'does not end' : `ends with ${status}`} without any fault${said && `:\n    ${said}`}`,
    next: `It has to ${does} the mock server that ${word}, or the variable ${variable}, names, and end with 0.`,
  });
}
