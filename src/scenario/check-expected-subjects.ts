import type { CassetteEvent } from '../cassette/cassette.ts';
import { correlateEntries } from '../cassette/correlate/correlate-entries.ts';
import { eventsToEntries } from '../cassette/split-batches-into-entries.ts';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { McpRecordError } from '../kernel/errors.ts';
import { paramsMembers } from '../protocol/allowed-params-members.ts';
import { isObject, isRequest } from '../protocol/message.ts';
import { methodProblem } from '../protocol/method-problem.ts';
import { LISTS, METHOD_NAMES } from '../protocol/method-table.ts';
import { callOutcomesOf } from './call-outcomes-to-judge.ts';
import type { CallExpectation, Expectation, Scenario } from './scenario.ts';

/**
 * Methods of requests → the list request with the valid names. Resources are missing, because a server may have
 * unlisted resources.
 */
const LIST_OF: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'tools/list'],
  ['prompts/get', 'prompts/list'],
]);

/** Maximum number of typos in a suggestion, if no list contains the valid names. */
const TYPOS_MAX = 2;

/** Names used by the requests of a method in a cassette. */
interface KnownNames {
  names: readonly string[];
  /** Whether the server's lists contain all valid names. */
  areListed: boolean;
}

/** Problem with an expectation: a clause with the cause, and advice. */
interface Problem {
  why: string;
  next: string;
}

/**
 * Rejects expectations about something that does not exist: such a call is never made, and such a fault never fires, whatever the program under test does.
 * Methods and names of MCP, of the cassette and of the scenario's faults exist.
 * @throws McpRecordError SCENARIO_BAD
 */
export function checkExpectedSubjects(scenario: Scenario, events: readonly CassetteEvent[]): void {
  for (const one of scenario.expect) {
    const problem = problemOf(one, scenario, events);
    if (problem === undefined) continue;
    const what = `Cannot run the scenario ${scenario.file}`;
    throw new McpRecordError({
      code: 'SCENARIO_BAD',
      what,
      ...problem,
      place: { file: scenario.file, line: one.line },
    });
  }
}

function problemOf(one: Expectation, scenario: Scenario, events: readonly CassetteEvent[]): Problem | undefined {
  if ('call' in one) return problemOfCall(one, events, isNamedIn(scenario.faults));
  if (!('fault' in one) || one.fires !== 0) return undefined;
  const { tool, prompt } = scenario.rules[one.fault - 1]?.when ?? {};
  const isNamed = isNamedIn(scenario.faults.filter((_, index) => index !== one.fault - 1));
  const problem =
    (tool === undefined ? undefined : nameProblem('tools/call', tool, events, isNamed)) ??
    (prompt === undefined ? undefined : nameProblem('prompts/get', prompt, events, isNamed));
  return problem && { ...problem, why: `fault ${one.fault} can never fire: ${problem.why}` };
}

/** Returns whether a method or name stands in these faults: a patch may bring it about. */
function isNamedIn(faults: readonly unknown[]): (text: string) => boolean {
  const written = JSON.stringify(faults);
  return (text) => written.includes(JSON.stringify(text).slice(1, -1));
}

function problemOfCall(
  { call, name, ends }: CallExpectation,
  events: readonly CassetteEvent[],
  isNamed: (text: string) => boolean,
): Problem | undefined {
  const recorded = callOutcomesOf(events).map(({ method }) => method);
  if (!recorded.includes(call) && !isNamed(call)) {
    const problem = methodProblem(call, 'request');
    if (problem) return { why: `"call" is "${call}": ${problem.why}`, next: problem.next };
    // Without such a call, all expectations except `never` fail anyway.
    if (ends === 'never' && !METHOD_NAMES.includes(call)) return unknownToAll(call, recorded);
  }
  return name === undefined || ends !== 'never' ? undefined : nameProblem(call, name, events, isNamed);
}

function unknownToAll(call: string, recorded: readonly string[]): Problem {
  const meant = didYouMean(call, [...METHOD_NAMES, ...recorded]);
  const next = meant === undefined ? '' : `Did you mean "${meant}"? `;
  const why = `"call" is "${call}": neither MCP nor the cassette has this method, so it is never called`;
  return { why, next: `${next}Name a method of MCP or of the cassette, or leave the expectation out.` };
}

/** Returns the problem with a name that no request of `method` can have. Undefined: the name is possible. */
function nameProblem(
  method: string,
  name: string,
  events: readonly CassetteEvent[],
  isNamed: (text: string) => boolean,
): Problem | undefined {
  const { names, areListed } = namesIn(events, method);
  if (names.includes(name) || isNamed(name)) return undefined;
  const members = paramsMembers(method);
  if (names.length === 0 && members !== undefined && !members.includes('name') && !members.includes('uri'))
    return { why: `requests of ${method} have no name`, next: 'Leave "name" out.' };
  const meant = didYouMean(name, names, areListed ? undefined : TYPOS_MAX);
  if (!areListed && meant === undefined) return undefined;
  const next = meant === undefined ? `There are ${names.join(', ')}.` : `Did you mean "${meant}"?`;
  return { why: `the cassette has no ${method} of "${name}", and no list with it`, next };
}

function namesIn(events: readonly CassetteEvent[], method: string): KnownNames {
  const called = callOutcomesOf(events).flatMap((one) => (one.method === method && one.name ? [one.name] : []));
  const listed = listedNames(events, LIST_OF.get(method));
  return { names: [...new Set([...called, ...listed])], areListed: listed.length > 0 };
}

/** Returns the names in the answers to a list method. */
function listedNames(events: readonly CassetteEvent[], list: string | undefined): string[] {
  const field = list === undefined ? undefined : LISTS.get(list)?.field;
  if (field === undefined) return [];
  const entries = eventsToEntries(events);
  const { requestOf } = correlateEntries(entries);
  return entries.flatMap(({ index, message }) => {
    const asked = entries[requestOf.get(index) ?? -1]?.message;
    if (!isRequest(asked) || asked.method !== list || !isObject(message) || !isObject(message.result)) return [];
    const items: unknown = message.result[field];
    return Array.isArray(items) ? items.flatMap((item) => (isObject(item) ? [String(item.name)] : [])) : [];
  });
}
