import type { Cassette } from '../../cassette/cassette.ts';
import { eventsToEntries } from '../../cassette/split-batches-into-entries.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { type Difference, differences } from '../../match/json-difference.ts';
import { errorOf, isRequest, paramsOf } from '../../protocol/message.ts';
import { failedSteps, type Outcome, type Step } from '../../text-report/outcome-model.ts';
import { listedTools } from '../server/inputs/tools-listed-in-cassette.ts';
import type { FailingProgram, Observation } from './same-failure.ts';

/** A failed step of `verify` about a message that came with other values. */
export interface WrongAnswer extends Step {
  line: number;
}

/** Returns the messages of an outcome of `verify` that came with other values than in the cassette. */
export function wrongAnswersOf(outcome: Outcome): WrongAnswer[] {
  return failedSteps(outcome).filter(
    (step): step is WrongAnswer => step.line !== undefined && step.recorded !== undefined && step.live !== undefined,
  );
}

/** Name of a check of `verify`: its line in the cassette. */
export function nameOfCheck(line: number): string {
  return `verify@${line}`;
}

/**
 * Returns a server under test that gives a wrong answer to a recorded client. The failure is the same if this message
 * differs at the same places in the same way, with the same values where two sessions have the same ones, and if nothing
 * else fails that did not fail before. `play` compares the server with a cassette.
 */
export function wrongAnswerProgram(play: (cassette: Cassette) => Promise<Outcome>): FailingProgram {
  let known: { failures: ReadonlySet<string>; values: Map<string, string>; cassette: Cassette } | undefined;
  return {
    // A smaller request has another right answer, and a smaller answer would be another wrong one.
    keepsMessages: true,
    async attempt(cassette, lines) {
      const outcome = await orUndefined(play(cassette), known === undefined);
      if (outcome === undefined) return undefined;
      const step = wrongAnswersOf(outcome).find(({ line }) => line === lines[0]);
      const point = nameOfCheck(lines[0]!);
      if (step === undefined) return RIGHT(point);
      const others = failedSteps(outcome).map(failureOf);
      const values = valuesOf(step);
      if (known === undefined) known = { failures: new Set(others), values, cassette };
      else if (cassette === known.cassette) forgetUnstable(known.values, values);
      const { failures, values: stable } = known;
      const isNew = others.some((other) => !failures.has(other));
      const isOtherValue = [...stable].some(([path, value]) => values.get(path) !== value);
      const cause = `${causeOf(step)}${isNew ? ', and something else fails' : ''}${isOtherValue ? ', with other values' : ''}`;
      return { point, title: step.title, verdict: 'wrong', isBad: true, cause, why: step.headline!, stderrTail: '' };
    },
  };
}

const RIGHT = (point: string): Observation => ({
  point,
  title: point,
  verdict: 'passed',
  isBad: false,
  cause: 'it answers as recorded',
  stderrTail: '',
});

/** Returns undefined if the server cannot be run with a smaller cassette. Errors of the whole cassette are thrown. */
async function orUndefined(outcome: Promise<Outcome>, isFirst: boolean): Promise<Outcome | undefined> {
  try {
    return await outcome;
  } catch (error) {
    if (isFirst || !(error instanceof McpRecordError)) throw error;
    return undefined;
  }
}

/** Names a failed step, however many messages are before it. */
function failureOf(step: Step): string {
  return `${step.title}: ${step.recorded === undefined ? step.headline : causeOf(step)}`;
}

/** Describes at which places a message differs, and how, without its values. */
function causeOf({ recorded, live }: Step): string {
  const [before, after] = [errorOf(recorded), errorOf(live)];
  if (before === undefined && after !== undefined) return 'an error in place of a result';
  if (before !== undefined && after === undefined) return 'a result in place of an error';
  return differences(recorded, live).map(kindOf).join(', ');
}

function kindOf({ path, recorded, live }: Difference): string {
  const place = path || '/';
  if (recorded === undefined) return `${place} is new`;
  if (live === undefined) return `${place} is gone`;
  const [before, after] = [typeOf(recorded), typeOf(live)];
  return before === after ? `${place} has another value` : `${place} is ${after} in place of ${before}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return `a ${typeof value}`;
}

/** Returns the live values at the places where a message differs. */
function valuesOf({ recorded, live }: Step): Map<string, string> {
  return new Map(differences(recorded, live).map(({ path, live: value }) => [path, canonicalJson(value)]));
}

/** Removes the values that another session with the same cassette has not. */
function forgetUnstable(values: Map<string, string>, again: ReadonlyMap<string, string>): void {
  for (const [path, value] of values) if (again.get(path) !== value) values.delete(path);
}

/**
 * Returns how many calls before a line may change what later calls return: those of tools that the server does not list
 * with `readOnlyHint: true`.
 */
export function changingCallsBefore(cassette: Cassette, line: number, listed: Cassette = cassette): number {
  const harmless = new Set(listedTools(listed).flatMap(({ name, isReadOnly }) => (isReadOnly ? [name] : [])));
  return eventsToEntries(cassette.events).filter((entry) => {
    const { from, message } = entry;
    if (from !== 'client' || entry.line >= line || !isRequest(message) || message.method !== 'tools/call') return false;
    return !harmless.has(String(paramsOf(message).name));
  }).length;
}
