import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { createLimiter, type Limits } from '../concurrency-limiter.ts';
import { attemptRun, type MockTarget } from './attempt-run.ts';
import type { FaultCase } from './fault-cases.ts';
import { BAD, reasonOf, type Verdict, verdictOf } from './verdict.ts';

export interface SweepOptions {
  /** The client under test. */
  command: readonly string[];
  points: readonly FaultCase[];
  /** Starts the recorded server with the fault of a point. */
  target(point: FaultCase): Promise<MockTarget>;
  env: NodeJS.ProcessEnv;
  clock: Clock;
  /** Maximum number of concurrent runs. */
  room: Limits;
  /** Maximum duration of a run. */
  deadline: Milliseconds;
  /** Called with the result of each finished point. */
  done?(result: Result): void;
}

/** Result of one point. */
export interface Result {
  point: FaultCase;
  verdict: Verdict;
  /** Reason, where the fault did not happen. */
  why?: string;
  /** Verdict on an unreached pair by its first fault alone, if that is bad. */
  first?: Verdict;
  duration: Milliseconds;
  status?: number;
  /** Last part of the command's standard error. */
  stderrTail: string;
}

/**
 * Runs a command once for each point, against the recorded server with that one fault.
 * @throws McpRecordError COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export async function sweep(options: SweepOptions): Promise<Result[]> {
  const { deadline } = options;
  const enter = createLimiter(options.room);
  const run = async (point: FaultCase): Promise<Result> => {
    const place = await enter();
    const ended = await attemptRun({
      ...options,
      point,
      target: () => options.target(point),
      deadline,
      fired: place.rest,
    });
    place.leave();
    const { status, stderr: stderrTail, duration } = ended;
    const verdict = verdictOf(ended);
    const why = reasonOf(ended, verdict, deadline);
    const first = point.pair && verdict === 'unreached' ? verdictOf({ ...ended, fired: true }) : undefined;
    const result: Result = {
      point,
      verdict,
      ...(why !== undefined && { why }),
      ...(first !== undefined && BAD.has(first) && { first }),
      duration,
      stderrTail,
      ...(status !== undefined && { status }),
    };
    options.done?.(result);
    return result;
  };
  return await Promise.all(options.points.map(run));
}
