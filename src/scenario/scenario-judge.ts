import { constants } from 'node:os';
import type { Cassette, CassetteEvent } from '../cassette/cassette.ts';
import type { Side } from '../channel/frame.ts';
import type { Milliseconds } from '../kernel/clock.ts';
import { headlineAndDetails, type Step } from '../text-report/outcome-model.ts';
import { callOutcomesOf } from './call-outcomes-to-judge.ts';
import { ENDS_IN_WORDS, type JudgedCalls, times, tooLong, type Wrong, wrongWithCalls } from './judge-calls.ts';
import type { Expectation, Scenario } from './scenario.ts';

/** Observations of a finished scenario. */
export interface Evidence {
  /** The cassette whose server was played. Absent: a client was played, or the verdict on a point is all. */
  played?: Pick<Cassette, 'file' | 'events'>;
  /** Recorded events, one list for each start of the server. */
  cassettes: readonly (readonly CassetteEvent[])[];
  /** Number of the rule of each fired fault, from 1. */
  fired: readonly number[];
  /** Reasons why faults changed nothing, with the number of their rules. */
  unchanged?: readonly { rule: number; why: string }[];
  /** Descriptions of requests missing in the cassette. */
  misses: readonly string[];
  /** Recorded messages that a client under test did not send: their titles and lines. */
  unused?: readonly string[];
  /** Texts about values of a client that were not compared. */
  uncompared?: readonly string[];
  /** The last lines of standard error of the program under test. */
  stderr?: readonly string[];
  /** Exit status of the command, or the signal that ended it. */
  exit: number | string | undefined;
  /** Duration of the command. */
  duration: Milliseconds;
  /** Whether the command was ended at the deadline. */
  timedOut: boolean;
  /** Verdict on the point of the scenario. */
  point?: PointEvidence;
}

interface PointEvidence {
  title: string;
  verdict: string;
  isBad: boolean;
  why?: string;
  /** How the program under test fails without the faults, or in the recorded order. Absent: it does not, or was not run so. */
  withoutFaults?: string;
  /** A text about each request that the cassette does not answer. */
  unserved?: readonly string[];
}

/** Returns one step for each expectation, and one step for each forbidden observation. */
export function judge(scenario: Scenario, evidence: Evidence): Step[] {
  const calls: JudgedCalls = {
    live: evidence.cassettes.flatMap(callOutcomesOf),
    recorded: evidence.played && { file: evidence.played.file, calls: callOutcomesOf(evidence.played.events) },
    hasFaults: scenario.rules.length > 0,
  };
  const steps = scenario.expect.map((one): Step => {
    const isLate = evidence.timedOut && 'exit' in one;
    const wrong = isLate ? deadlineText(scenario) : wrongWith(one, calls, evidence);
    const step = { title: titleOf(one, scenario, evidence), line: one.line };
    if (wrong === undefined) return { ...step, status: 'passed' };
    const details = 'verdict' in one ? pointDetails(evidence) : [];
    return { ...step, status: 'failed', headline: wrong, ...(details.length > 0 && { details }) };
  });
  const { timedOut, misses } = evidence;
  const all = [
    ...steps,
    ...unfired(scenario, evidence),
    ...(timedOut && !isExitExpected(scenario) ? [failed('the deadline', deadlineText(scenario))] : []),
    ...(scenario.misses === 'fail' ? misses.map((text) => failed('every request is in the cassette', text)) : []),
  ];
  const isPassed = all.every(({ status }) => status === 'passed');
  return withStderr(evidence, isPassed ? [...all, ...uncalled(scenario, evidence)] : all);
}

/** Adds the command's standard error to the first failure, which it may explain. */
function withStderr({ stderr = [] }: Evidence, steps: readonly Step[]): Step[] {
  const first = steps.find(({ status }) => status === 'failed');
  if (stderr.length === 0) return [...steps];
  const said = ['standard error:', ...stderr.map((line) => `  ${line}`)];
  return steps.map((step) => (step === first ? { ...step, details: [...(step.details ?? []), ...said] } : step));
}

/**
 * Returns a failed step for the recorded messages that a client has not sent, if the scenario expects nothing of calls and has no fault that could explain
 * it. A client that makes no call at all would pass.
 */
function uncalled(scenario: Scenario, { unused = [] }: Evidence): Step[] {
  if (scenario.play !== 'server' || scenario.point || !isSilentOnCalls(scenario) || unused.length === 0) return [];
  const next =
    'The scenario expects nothing of calls, so all are required. Expect those that matter, such as { call: tools/call, name: NAME, ends: succeeds }: then others may be left out.';
  return [failed('every recorded message is sent', [`the client never sent ${unused.join(', ')}`, next].join('\n'))];
}

/** Reports whether a scenario leaves open what happens to calls: no expectation is about them, and no fault happens to them. */
function isSilentOnCalls({ expect, rules }: Scenario): boolean {
  return rules.length === 0 && expect.every((one) => !('call' in one));
}

/** Returns notes about results without an expectation: a client that ended with an error, and answers of a server. */
export function notesOn(scenario: Scenario, evidence: Evidence): string[] {
  const { exit, timedOut, uncompared = [] } = evidence;
  if (uncompared.length > 0) return [...uncompared, ...notesOn(scenario, { ...evidence, uncompared: [] })];
  if (scenario.play === 'client' && !scenario.point && isSilentOnCalls(scenario))
    return [
      'nothing is expected of calls, so any answer passes. Expect { call: tools/call, ends: succeeds }, or compare the answers with verify',
    ];
  const misses = evidence.point?.isBad === false ? (evidence.point.unserved ?? []) : [];
  if (misses.length > 0) return [...new Set(misses.map(pointMissText))];
  const always = alwaysFailingNote(scenario);
  if (always !== undefined) return [always];
  const isUnknown = timedOut || exit === undefined || exit === 0;
  if (isUnknown || scenario.play !== 'server' || scenario.point || isExitExpected(scenario)) return [];
  return [
    `the command ended with ${exit}, and nothing is expected of its end. To check it, expect { exit: ${exit} } or { exit: 0 }`,
  ];
}

/**
 * Returns a note if a client that fails in any case, even without a fault, passes the scenario: nothing is expected but
 * that it ends with an error.
 */
function alwaysFailingNote({ play, rules, expect }: Scenario): string | undefined {
  if (play !== 'server') return undefined;
  const isFailureOnly = rules.length > 0 && expect.every((one) => 'exit' in one && one.exit !== 0);
  if (!isFailureOnly) return undefined;
  return `a client that always fails passes, too. To rule that out, run it without faults, with a scenario that has the same cassette, no faults, and expects { exit: 0 }: mcp-record run PLAIN.yaml -- COMMAND`;
}

/** Reports whether an expectation concerns the exit status. Such an expectation fails if the command does not end. */
function isExitExpected({ expect }: Scenario): boolean {
  return expect.some((one) => 'exit' in one);
}

function deadlineText({ deadline }: Scenario): string {
  return `the command had not ended after ${deadline} ms. If it needs longer, set a longer "deadline" in the scenario`;
}

/** Returns a failed step for each rule that never fired, unless an expectation is about it. */
function unfired({ rules, expect }: Scenario, { fired, unchanged = [] }: Evidence): Step[] {
  return rules.flatMap(({ fault }, index): Step[] => {
    const number = index + 1;
    const isExpected = expect.some((one) => 'fault' in one && one.fault === number);
    if (isExpected || fired.includes(number)) return [];
    const text = `${neverFired(number, unchanged)}, so it was not tested. If it may not fire, expect { fault: ${number}, fires: 0 }`;
    return [failed(`fault ${number} (${fault.kind.name}) fires`, text)];
  });
}

/** Returns the text about a rule that never fired. */
function neverFired(number: number, unchanged: Evidence['unchanged'] = []): string {
  const { why } = unchanged.find(({ rule }) => rule === number) ?? {};
  return `it never fired${why === undefined ? '' : `: ${why}`}`;
}

function failed(title: string, text: string): Step {
  return { title, status: 'failed', ...headlineAndDetails(text) };
}

function titleOf(one: Expectation, { rules, point }: Scenario, evidence: Evidence): string {
  if ('verdict' in one) return `${point?.name} (${evidence.point?.title}) has a good verdict`;
  if ('call' in one) {
    const name = one.name === undefined ? '' : ` "${one.name}"`;
    const code = one.code === undefined ? '' : ` with ${one.code}`;
    return `${one.call}${name}${one.nth === undefined ? '' : ` #${one.nth}`} ${ENDS_IN_WORDS[one.ends]}${code}${limit(one)}`;
  }
  if ('fault' in one) {
    const often = one.fires === undefined ? 'fires' : `fires ${times(one.fires)}`;
    return `fault ${one.fault} (${rules[one.fault - 1]!.fault.kind.name}) ${often}`;
  }
  if ('session' in one)
    return `the ${one.session} ends the session${one.status === undefined ? '' : `, the server with ${one.status}`}`;
  return `the command exits with ${one.exit}${limit(one)}`;
}

function limit({ within }: { within?: Milliseconds }): string {
  return within === undefined ? '' : ` within ${within} ms`;
}

function wrongWith(one: Expectation, calls: JudgedCalls, evidence: Evidence): Wrong {
  if ('verdict' in one) return wrongWithPoint(evidence);
  if ('call' in one) return wrongWithCalls(one, calls);
  if ('fault' in one) {
    const count = evidence.fired.filter((rule) => rule === one.fault).length;
    const holds = one.fires === undefined ? count > 0 : count === one.fires;
    if (holds) return undefined;
    return count === 0 ? neverFired(one.fault, evidence.unchanged) : `it fired ${times(count)}`;
  }
  if ('session' in one) return wrongWithEnd(one, evidence.cassettes.at(-1) ?? []);
  if (!isSameStatus(evidence.exit, one.exit)) return `it ended with ${evidence.exit ?? 'nothing: its time was up'}`;
  return tooLong(one, evidence.duration);
}

function wrongWithPoint({ point }: Evidence): Wrong {
  if (point === undefined) return 'no point was played';
  if (point.isBad) return `${point.verdict}${point.why === undefined ? '' : `: ${point.why}`}`;
  const { verdict, withoutFaults } = point;
  if (verdict !== 'reported' || withoutFaults === undefined) return undefined;
  return `the fault is not tested, since the client fails without it, too: ${firstLine(withoutFaults)}`;
}

/** Returns what helps to explain the bad verdict of a point. */
function pointDetails({ point, stderr = [] }: Evidence): string[] {
  const { withoutFaults, unserved = [] } = point ?? {};
  const always = withoutFaults !== undefined;
  const said = `without the fault, or in the recorded order, it fails, too (${firstLine(withoutFaults ?? '')}). `;
  // A client of stdio often passes on what its server says.
  const unsaid = unserved.filter((text) => !stderr.some((line) => line.includes(firstLine(text))));
  return [
    ...(always ? [`${point?.isBad ? said : ''}${FAILS_ANYWAY_NEXT}`] : []),
    ...(unsaid.length > 0 ? ['the cassette does not answer:', ...unsaid.map((text) => `  ${text}`)] : []),
  ];
}

/** Next step if a program fails with the cassette of a point in any case. */
const FAILS_ANYWAY_NEXT =
  'The cassette lacks what this client asks for, or the client has another failure. If it ends well with the whole cassette, write this one and its point into the scenario: the first comment of shrink has both';

/** Returns the note about a request of a client whose point has a good verdict. */
function pointMissText(text: string): string {
  return `the client sent a request that the cassette does not have: ${firstLine(text)}. The verdict on the point does not depend on it`;
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.replace(/ Closest:$/, '');
}

function wrongWithEnd(
  { session, status }: { session: Side; status?: number | string },
  cassette: readonly CassetteEvent[],
): Wrong {
  const end = cassette.find(({ frame }) => ['close', 'signal', 'exit'].includes(frame.kind))?.frame;
  if (end === undefined) return 'nobody ended it';
  if (end.from !== session) return `the ${end.from} ended it`;
  if (status === undefined) return undefined;
  const exit = cassette.find(({ frame }) => frame.kind === 'exit')?.frame;
  if (exit?.kind !== 'exit') return 'the server did not exit';
  return isSameStatus(exit.status, status) ? undefined : `the server exited with ${exit.status}`;
}

/** Reports whether two statuses are equal. A signal is also reported as 128 plus its number. */
function isSameStatus(a: number | string | undefined, b: number | string): boolean {
  return a !== undefined && numberOf(a) === numberOf(b);
}

function numberOf(status: number | string): number {
  if (typeof status === 'number') return status;
  return 128 + constants.signals[status as NodeJS.Signals];
}
