import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { createLimiter, type Limits } from '../concurrency-limiter.ts';
import { attemptRun, type MockTarget } from './attempt-run.ts';
import type { FaultCase } from './fault-cases.ts';
import { missesText, newMisses } from './new-misses.ts';
import { BAD, reasonOf, type Verdict, verdictOf } from './verdict.ts';
import type { Noted } from './withheld-response-arrival.ts';

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
  /** A text about each request that the client sends without a fault, too, and that the cassette does not answer. */
  unserved: readonly string[];
  /** Called with the result of each finished point. */
  done?(result: Result): void;
}

/** Result of one point. */
export interface Result {
  point: FaultCase;
  verdict: Verdict;
  /** Reason, where the fault did not happen, or the client sent requests that the cassette does not have. */
  why?: string;
  /** A text about each request that the cassette does not answer, and that the client does not send without the fault. */
  misses?: readonly string[];
  /** Whether only a part of an order came about, after which the client ended well. */
  isPartial?: true;
  /** Whether the client started the server again, over stdio, and met the fault again. */
  metAgain?: true;
  /** Verdict on an unreached pair by its first fault alone, if that is bad. */
  first?: Verdict;
  duration: Milliseconds;
  status?: number;
  /** Last part of the command's standard error. */
  stderrTail: string;
}

const ONE_AT_A_TIME: Limits = { busy: 1, all: 1 };

/**
 * Runs a command once for each point, against the recorded server with that one fault. A point runs again, alone, if it
 * hung beside other runs although its fault withholds no answer: the other runs may have taken its time.
 * @throws McpRecordError COMMAND_NOT_FOUND, COMMAND_NOT_EXECUTABLE
 */
export async function sweep(options: SweepOptions): Promise<Result[]> {
  const { deadline } = options;
  const { points, room } = options;
  const isAlone = points.length === 1 || room.all === 1;
  const runIn = (enter: ReturnType<typeof createLimiter>, mayRunAgain: boolean) => async (point: FaultCase) => {
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
    const misses = newMisses(ended.unserved, options.unserved);
    const why = reasonOf(ended, verdict, deadline) ?? (misses.length > 0 ? missesText(misses) : undefined);
    const first = point.pair && verdict === 'unreached' ? verdictOf({ ...ended, fired: true }) : undefined;
    const result: Result = {
      point,
      verdict,
      ...(why !== undefined && { why }),
      ...(misses.length > 0 && { misses }),
      ...(ended.isPartial && verdict === 'unreached' && { isPartial: true }),
      ...(point.pair === undefined && hasMetAgain(ended.journal) && { metAgain: true }),
      ...(first !== undefined && BAD.has(first) && { first }),
      duration,
      stderrTail,
      ...(status !== undefined && { status }),
    };
    if (!mayRunAgain || !isHungWithoutLoss(result)) options.done?.(result);
    return result;
  };
  const results = await Promise.all(points.map(runIn(createLimiter(room), !isAlone)));
  if (isAlone) return results;
  const again = runIn(createLimiter(ONE_AT_A_TIME), false);
  return await Promise.all(results.map((one) => (isHungWithoutLoss(one) ? again(one.point) : one)));
}

/** Reports whether the fault of a point, the first rule, fired in several processes: in each it fires once. */
function hasMetAgain(journal: readonly Noted[]): boolean {
  return journal.filter(({ rule }) => rule === FAULT).length > 1;
}

const FAULT = 1;

/** Reports whether a run hung although each answer comes, such as one that is only late. A pair is judged by itself. */
function isHungWithoutLoss({ verdict, point }: Result): boolean {
  const { loses, pair } = point;
  return verdict === 'hung' && (loses === undefined || loses.isDelayed === true) && pair === undefined;
}
