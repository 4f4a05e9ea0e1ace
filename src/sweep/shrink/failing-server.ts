import type { Cassette } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { Limits } from '../concurrency-limiter.ts';
import type { GridPoint } from '../grid-text.ts';
import { type InputCase, inputCases } from '../server/inputs/input-cases.ts';
import { BAD_INPUT } from '../server/inputs/input-verdict-kinds.ts';
import { type InputResult, sweepInputs } from '../server/inputs/sweep-inputs.ts';
import { listedTools } from '../server/inputs/tools-listed-in-cassette.ts';
import type { ServerResult } from '../server/judge/server-result.ts';
import { BAD_SERVER } from '../server/judge/server-verdict-kinds.ts';
import { hasCalls, type MisbehaviourCase, misbehaviourCases } from '../server/misbehaviour-cases.ts';
import type { ServerUnderTest } from '../server/server-under-test-types.ts';
import { sweepServer } from '../server/sweep-server.ts';
import { misbehaviourPair } from '../server/two-misbehaviours-per-session.ts';
import { uncaughtErrorIdentity } from '../uncaught-error.ts';
import type { FailingProgram, Observation } from './same-failure.ts';

export interface FailingServerOptions {
  target: ServerUnderTest;
  clock: Clock;
  /** Time limit for one answer, as in a sweep. */
  deadline: Milliseconds | undefined;
  ignore: readonly Ignore[];
  /** Names of the misbehaviours: two for a pair. */
  faults: readonly string[];
}

/** One session after the other. */
export const ONE_RUN: Limits = { busy: 1, all: 1 };

/** Returns a server under test, which fails under a misbehaviour, or two, of the recorded client. */
export function failingServer({ faults, target, ...options }: FailingServerOptions): FailingProgram {
  let isFirst = true;
  const pointAt = (cassette: Cassette, lines: readonly number[]): MisbehaviourCase | undefined => {
    const [first, second] = faults.map((fault, n) => {
      return misbehaviourCases(cassette, [fault], target.transport).find(({ line }) => line === lines[n]);
    });
    if (faults.length === 1 || first === undefined) return first;
    return second && misbehaviourPair(first, second);
  };
  return {
    async attempt(cassette, lines, isSearch) {
      const point = pointAt(cassette, lines);
      if (point === undefined || !hasCalls(cassette)) return undefined;
      const common = { ...options, cassette, target, room: ONE_RUN };
      const swept = await orUndefined(sweepServer({ ...common, points: [point], isOnceEnough: isSearch }), isFirst);
      isFirst = false;
      // Misbehaviours that are bad alone come before their pair.
      const result = swept?.results.at(-1);
      return result && observationOf(result, isBadInScenario(result));
    },
  };
}

export interface InputProgramOptions extends Omit<FailingServerOptions, 'faults'> {
  /** Name of the kind of arguments. */
  fault: string;
  tool: string;
  seed: number;
}

/** Returns a server under test, which fails under arguments of one kind. Once a call is known to fail, only this call is made. */
export function inputProgram({ fault, tool, seed, target, ...options }: InputProgramOptions): FailingProgram {
  let call: InputResult['call'];
  let isFirst = true;
  return {
    async attempt(cassette) {
      const tools = listedTools(cassette).filter(({ name }) => name === tool);
      const { points } = inputCases({ tools, kinds: [fault], seed, file: cassette.file });
      const point = points.map((one) => (call === undefined ? one : withCall(one, call)))[0];
      if (point === undefined || point.inputs.length === 0) return undefined;
      const common = { ...options, cassette, target, room: ONE_RUN };
      const swept = await orUndefined(sweepInputs({ ...common, points: [point] }), isFirst);
      isFirst = false;
      const [result] = swept?.results ?? [];
      call ??= result?.call;
      return result && observationOf(result, BAD_INPUT.has(result.verdict));
    },
  };
}

/**
 * Reduces a point to the call that is known to fail, if the tool's schema still classifies this call as the same kind.
 */
function withCall(point: InputCase, { arguments: args }: NonNullable<InputResult['call']>): InputCase {
  const { drawn: _, ...rest } = point;
  return { ...rest, inputs: point.fits(args) ? [{ args }] : [] };
}

/**
 * Reports whether a result of a single point fails. Of a pair whose second misbehaviour did not happen, the first alone
 * decides; if that did not happen either, nothing was tested.
 */
function isBadInScenario({ point, verdict, first, isUntested }: ServerResult): boolean {
  if (point.pair === undefined || verdict === 'single') return verdict === 'single' || BAD_SERVER.has(verdict);
  return verdict === 'unreached' ? first !== undefined || isUntested === true : BAD_SERVER.has(verdict);
}

/** Returns undefined if the server cannot be run with a smaller cassette. Errors of the whole cassette are thrown. */
export async function orUndefined<Value>(swept: Promise<Value>, isFirst: boolean): Promise<Value | undefined> {
  try {
    return await swept;
  } catch (error) {
    if (isFirst || !(error instanceof McpRecordError)) throw error;
    return undefined;
  }
}

interface ServerPointResult extends Pick<ServerResult, 'why' | 'cause' | 'stderrTail'> {
  point: GridPoint;
  verdict: string;
}

/** Returns what was seen of a server at a point. */
export function observationOf(result: ServerPointResult, isBad: boolean): Observation {
  const { point, verdict, why, cause = verdict, stderrTail } = result;
  const error = verdict === 'crashed' ? uncaughtErrorIdentity(stderrTail) : undefined;
  return {
    point: point.name,
    title: point.title,
    verdict,
    isBad,
    cause: error === undefined ? cause : `${cause}: ${error}`,
    ...(why !== undefined && { why }),
    stderrTail,
  };
}
