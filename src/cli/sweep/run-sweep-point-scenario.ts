import { systemClock as clock } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import type { Scenario } from '../../scenario/scenario.ts';
import type { Evidence } from '../../scenario/scenario-judge.ts';
import { ERROR_WITHOUT_FAULT } from '../../sweep/orders/order-verdicts.ts';
import { isFailure, type Observation } from '../../sweep/shrink/same-failure.ts';
import { lastLines } from '../../text-report/last-lines.ts';
import { type FoundSweepPoint, findSweepPoint } from './find-sweep-point.ts';
import { pointOfScenario } from './point-of-scenario.ts';

export interface PointOptions {
  /** The program under test. */
  words: readonly string[];
  /** Variables that replace placeholders, as on the command line. */
  secretsFromEnv?: string;
  /** Called with the point before it is played. */
  started(found: FoundSweepPoint): void;
}

/**
 * Plays the point of a scenario to the program under test, and returns its verdict.
 * @throws McpRecordError SCENARIO_BAD, and those of a sweep
 */
export async function playScenarioPoint(
  scenario: Scenario,
  { words, secretsFromEnv, started }: PointOptions,
): Promise<Evidence> {
  const began = clock.now();
  const point = pointOfScenario(scenario, words);
  const request = { ...point, options: { ...point.options, ...(secretsFromEnv !== undefined && { secretsFromEnv }) } };
  const found = await inWordsOfScenario(scenario, findSweepPoint(request));
  started(found);
  try {
    const program = found.program({ deadline: scenario.deadline });
    const attempt = program.attempt(found.cassette, found.lines, false);
    const observation = (await inWordsOfScenario(scenario, attempt)) ?? NOT_PLAYED;
    const limit = scenario.play === 'client' ? 'patience' : 'deadline';
    const { title, verdict, isBad, why, cause, stderrTail, unserved } = observation;
    const isFailed = verdict === 'reported' || isFailure(observation);
    const withoutFaults = isFailed ? await program.failureWithoutFaults?.(found.cassette, found.lines) : undefined;
    const breaksNoRule = verdict === 'failed' && withoutFaults === undefined;
    const reason = `${why ?? cause}${breaksNoRule ? `. ${ERROR_WITHOUT_FAULT}` : ''}`;
    return {
      cassettes: [],
      fired: [],
      misses: [],
      exit: undefined,
      timedOut: false,
      duration: clock.now() - began,
      stderr: stderrTail.trim() === '' ? [] : lastLines(stderrTail),
      point: {
        title,
        verdict,
        isBad,
        why: reason.replace('--deadline', `"${limit}" in the scenario`),
        ...(withoutFaults !== undefined && { withoutFaults }),
        ...(unserved !== undefined && { unserved }),
      },
    };
  } finally {
    found.remove();
  }
}

const NOT_PLAYED: Observation = {
  point: '',
  title: 'not played',
  verdict: 'unreached',
  isBad: true,
  cause: 'nothing was run',
  stderrTail: '',
};

/** Gives errors the advice of a scenario, which has keys and no options. */
async function inWordsOfScenario<Value>({ file }: Scenario, task: Promise<Value>): Promise<Value> {
  try {
    return await task;
  } catch (error) {
    if (!(error instanceof McpRecordError)) throw error;
    const { code, why, next } = error.problem;
    const what = `Cannot run the scenario ${file}`;
    if (code === 'USAGE_BAD_SWEEP')
      throw new McpRecordError({ code: 'SCENARIO_BAD', what, why: `"point": ${why}`, next });
    if (code === 'USAGE_ONE_SERVER') {
      const oneUrl = `Write mcp-record run ${file} URL.`;
      throw new McpRecordError({ code, what, why: 'a server over HTTP has one URL', next: oneUrl });
    }
    throw error;
  }
}
