import { dirname, resolve } from 'node:path';
import { checkNoticeable } from '../faults/rules/check-noticeable.ts';
import { parseFaultRules, type RulesSource } from '../faults/rules/parse-fault-rules.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError, type Place } from '../kernel/errors.ts';
import { type FieldProblem, type Fields, fieldProblem, type Path } from '../kernel/validate-fields.ts';
import { isObject } from '../protocol/message.ts';
import { parseTiming } from '../replay/timing.ts';
import type { Expectation, Scenario, ScenarioPoint } from './scenario.ts';
import { EXPECTATIONS, SCENARIO } from './scenario-keys.ts';

/** Source of a scenario, for errors. */
export interface ScenarioSource {
  file: string;
  placeOf(path: Path): Place;
  /** Reports whether a cassette uses a method that MCP does not have. Absent: none does. */
  usesMethod?(cassette: string, method: string): boolean;
}

type Written = Record<string, unknown>;

/** Defaults of optional scenario keys. */
export const DEFAULTS = {
  transport: 'stdio',
  timing: 'instant',
  seed: 0,
  deadline: 30_000,
  patience: 10_000,
  misses: 'fail',
} as const;

/**
 * Parses a scenario.
 * @throws McpRecordError SCENARIO_BAD, and those of `parseFaultRules`, with file and line
 */
export function readScenario(value: unknown, source: ScenarioSource): Scenario {
  const { file, placeOf } = source;
  const written = checked(value, SCENARIO, [], source);
  const { cassette, expect, faults = [] } = written as unknown as Pick<Scenario, 'cassette' | 'expect' | 'faults'>;
  const path = resolve(dirname(file), cassette);
  const usesMethod = (method: string) => source.usesMethod?.(path, method) === true;
  const { transport = DEFAULTS.transport } = written as Partial<Scenario>;
  const rulesSource: RulesSource = { name: file, transport, placeOf, usesMethod };
  const { rules } = parseFaultRules({ faults: [...faults] }, rulesSource);
  const scenario: Scenario = {
    ...DEFAULTS,
    ...(written as Partial<Scenario> & Pick<Scenario, 'play'>),
    file,
    cassette: path,
    faults,
    rules,
    ...pointOf(written, source),
    expect: expect.map((one, index) => readExpectation(one, ['expect', index], source)),
  };
  if (expect.length === 0) throw nothingExpected(scenario, source);
  const tested = scenario.play === 'server' ? 'client' : 'server';
  checkNoticeable(rules, { tested, name: file, placeOf: (index) => placeOf(['faults', index, 'do']) });
  checkTiming(scenario, source);
  checkTransport(scenario, source);
  for (const [index, one] of scenario.expect.entries()) checkMeaning(one, scenario, ['expect', index], source);
  return scenario;
}

/** Reads the point of a scenario, and rejects keys that make no sense with or without a point. */
function pointOf(written: Written, source: ScenarioSource): Pick<Scenario, 'point'> | undefined {
  const { point: name, params, patience } = written as Partial<ScenarioPoint> & { point?: string };
  const others = name === undefined ? ['params'] : ['faults', 'timing', 'misses'];
  const other = others.find((key) => key in written);
  if (other !== undefined) {
    const why = `"${other}" has no meaning ${name === undefined ? 'without' : 'with'} "point"`;
    const more = name === undefined ? ', or add "point".' : other === 'misses' ? `. ${MISSES_OF_POINT}` : '.';
    throw bad([other], { why, next: `Leave "${other}" out${more}` }, source);
  }
  if (name === undefined) return undefined;
  return { point: { name, ...(params && { params }), ...(patience && { patience }) } };
}

/** What a point does about requests that the cassette does not have. */
const MISSES_OF_POINT =
  'An order fails with a request that the cassette does not have, and a fault names it in a note. To fail with it in any case, write a scenario without "point".';

/** Returns the error of a scenario that passes whatever happens. */
function nothingExpected({ point, play }: Scenario, source: ScenarioSource): McpRecordError {
  if (point !== undefined)
    return bad(['expect'], { why: 'nothing is expected of the point', next: 'Write "- verdict: good".' }, source);
  const example = play === 'server' ? '"- exit: 0"' : '"- { session: client, status: 0 }"';
  return bad(
    ['expect'],
    { why: 'nothing is expected, so nothing would be tested', next: `Write what has to hold, such as ${example}.` },
    source,
  );
}

function readExpectation(value: unknown, path: Path, source: ScenarioSource): Expectation {
  const kinds = Object.keys(EXPECTATIONS);
  const one = checkedMapping(value, path, source);
  const named = Object.keys(one).filter((key) => key in EXPECTATIONS);
  if (named.length !== 1) {
    const [key = ''] = Object.keys(one);
    const meant = named.length === 0 ? didYouMean(key, kinds) : undefined;
    const why = named.length === 0 ? 'it does not say what it is about' : `it is about ${named.join(' and ')}`;
    const next = meant ? `Did you mean "${meant}"?` : `Write one of: ${kinds.join(', ')}.`;
    throw bad(named.length === 0 && key !== '' ? [...path, key] : path, { why, next }, source);
  }
  const read = checked(one, EXPECTATIONS[named[0]!]!, path, source);
  return { ...read, line: source.placeOf([...path, named[0]!]).line } as Expectation;
}

/** Rejects a server over HTTP, which only a point of a sweep is played to. */
function checkTransport({ transport, play, point }: Scenario, source: ScenarioSource): void {
  if (transport === 'stdio' || play === 'server' || point !== undefined) return;
  const why = 'a server over HTTP is only played the "point" of a sweep';
  const next = 'Compare its answers with mcp-record verify CASSETTE --http URL, or leave "transport" out.';
  throw bad(['transport'], { why, next }, source);
}

/** Rejects expectations that are valid in form, but can never hold. */
function checkMeaning(
  one: Expectation,
  { rules, play, point, transport }: Scenario,
  path: Path,
  source: ScenarioSource,
): void {
  if ('verdict' in one !== (point !== undefined)) {
    const why = point ? 'a scenario with a point has a verdict alone' : 'there is no point, so there is no verdict';
    throw bad(path, { why, next: point ? 'Write "- verdict: good".' : 'Add "point", or leave "verdict" out.' }, source);
  }
  if ('fault' in one && one.fault > rules.length) {
    const why = `there is no rule ${one.fault}: the scenario has ${rules.length}`;
    throw bad([...path, 'fault'], { why, next: 'Count the faults from 1.' }, source);
  }
  if ('session' in one && transport === 'http') {
    const why = 'over HTTP, neither side ends a session as a process does';
    throw bad([...path, 'session'], { why, next: 'Expect "exit", or how calls end.' }, source);
  }
  if ('exit' in one && play === 'client') {
    const why = 'a played client has no client under test that could exit';
    const next = 'How the server under test ends is "session: server" with its "status".';
    throw bad([...path, 'exit'], { why, next }, source);
  }
  if (!('call' in one)) return;
  if (one.within !== undefined && (one.ends === 'unanswered' || one.ends === 'never')) {
    const next = 'Leave "within" out, or say how the call ends.';
    throw bad([...path, 'within'], { why: 'what never ends takes no time', next }, source);
  }
  if (one.code !== undefined && one.ends !== 'fails') {
    const next = 'Write "ends: fails", or leave "code" out.';
    throw bad([...path, 'code'], { why: 'only what fails has the code of an error', next }, source);
  }
}

function checkTiming({ timing }: Scenario, source: ScenarioSource): void {
  try {
    parseTiming(timing);
  } catch {
    const why = `"timing" is "${timing}"`;
    const next = 'It has to be instant, recorded, a factor such as 0.5x, or a cap such as 200ms.';
    throw bad(['timing'], { why, next }, source);
  }
}

/** Returns the mapping if it has all required keys, no unknown ones, and allowed values. */
function checked(value: unknown, fields: Fields, path: Path, source: ScenarioSource): Written {
  const problem = fieldProblem(value, fields, path);
  if (problem === undefined) return value as Written;
  throw bad(problem.path, problem, source);
}

function checkedMapping(value: unknown, path: Path, source: ScenarioSource): Written {
  if (isObject(value)) return value;
  const next = `Write one of: ${Object.keys(EXPECTATIONS).join(', ')}.`;
  throw bad(path, { why: 'it is no mapping', next }, source);
}

function bad(path: Path, { why, next }: Omit<FieldProblem, 'path'>, { file, placeOf }: ScenarioSource): McpRecordError {
  const what = `Cannot run the scenario ${file}`;
  return new McpRecordError({ code: 'SCENARIO_BAD', what, why, next, place: placeOf(path) });
}
