import type { Fired } from '../../faults/engine/fault-injector.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { exactValue } from '../../match/exact-json-value.ts';
import type { EndpointOutcome, FetchEndpoint } from '../../mock/endpoint/fetch-endpoint.ts';
import { JsonText, jsonOf } from '../../protocol/json-text.ts';
import { failureRedactor } from '../../record/redact-file/project-redactor.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { differenceText } from '../../text-report/difference-text.ts';
import { adviceFor, adviceForClient, type Recordable } from './advice-for-failures.ts';

/** Findings of each error, for {@link joinToTestError}. */
const findingsOf = new WeakMap<object, readonly Finding[]>();

/** Returns the error of a test whose session differs from its cassette. */
export function sessionFailedError(
  cassette: string,
  { findings: found, failures, kept, canAdd = false, canRecord = canAdd, isOfClient = false, unread }: FellShort,
): McpRecordError {
  const findings = withRefusals(failures ?? found, found);
  const redactor = failureRedactor();
  const shown = (value: unknown) =>
    value === undefined ? value : exactValue(redactor.json(new JsonText(jsonOf(value))));
  const said = findings.map(({ text }) => `${redactor.text(text).trimEnd().replaceAll('\n', '\n  ')}\n  `).join('');
  const drawn = findings.find(({ expected }) => expected !== undefined);
  const error = new McpRecordError({
    code: 'SESSION_FELL_SHORT',
    ...(isOfClient ? headingOfClient : headingOf)(cassette, new Set(findings.map(({ kind }) => kind))),
    next: [
      said + (isOfClient ? adviceForClient(findings) : adviceFor(findings, { canAdd, canRecord, cassette })),
      ...(kept === undefined ? [] : [keptText(kept)]),
      ...(unread === undefined
        ? []
        : [`If that is meant, read it: const { failures } = await ${isOfClient ? 'client' : 'server'}.${unread}().`]),
    ].join('\n  '),
    ...(drawn && { expected: shown(drawn.expected), actual: shown(drawn.actual) }),
  });
  findingsOf.set(error, findings);
  return error;
}

/**
 * Returns the failures of a session. Other findings did not fail the test, but a client that was refused, and therefore did
 * too little, is told so.
 */
function withRefusals(failures: readonly Finding[], findings: readonly Finding[]): readonly Finding[] {
  if (failures.length === 0 || !failures.every(({ kind }) => kind === 'unused' || kind === 'uncalled')) return failures;
  return [...findings.filter((one) => one.kind === 'unauthorized' && !failures.includes(one)), ...failures];
}

/**
 * Returns the error that names the failures of all sessions of a test. Undefined if no session failed. If the test
 * itself failed, only failures that may explain it count.
 */
export function failedSessionsError(
  sessions: readonly (FellShort & { cassette: string; failed: boolean })[],
  run: TestEnd,
): McpRecordError | undefined {
  const judged = run.passed ? sessions : sessions.map((session) => withLikelyCauses(session, run));
  const errors = judged.filter(({ failed }) => failed).map((session) => sessionFailedError(session.cassette, session));
  const [first, ...others] = errors;
  if (first === undefined || others.length === 0) return first;
  const { problem } = first;
  const next = [problem.next, ...others.map(({ message }) => message.replace(` [${first.code}]`, ''))].join('\n');
  const all = new McpRecordError({ ...problem, next });
  findingsOf.set(
    all,
    errors.flatMap((error) => findingsOf.get(error) ?? []),
  );
  return all;
}

/** A test error as stored by Vitest. */
interface TestError {
  message: string;
  diff?: string;
}

/**
 * Joins a failure to the only error of a test, if that error already contains all findings of the failure as the client
 * received them, such as a call that the cassette lacks. Both then have the same cause. Returns whether they were
 * joined.
 */
export function joinToTestError([only, ...others]: readonly TestError[], failure: unknown): boolean {
  const findings = failure instanceof McpRecordError ? findingsOf.get(failure) : undefined;
  if (only === undefined || others.length > 0 || findings === undefined) return false;
  const hasSaid = (line: string) => only.message.includes(line.trim());
  if (!findings.every(({ text }) => partForClient(text).every(hasSaid))) return false;
  const { message, expected, actual } = failure as McpRecordError;
  const [heading, ...lines] = message.split('\n');
  only.message = [only.message, `  ${heading}`, ...lines.filter((line) => !hasSaid(line))].join('\n');
  if (expected !== undefined)
    only.diff ??= differenceText(expected, actual, { recorded: 'Expected', live: 'Received' }).join('\n');
  return true;
}

/** Returns the lines of a miss without the last one, which advises the test's owner: what the client receives. */
function partForClient(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  return lines.slice(0, Math.max(1, lines.length - 1));
}

/** Returns the error about a silent server, which is the cause of other failures. Undefined if all servers answered. */
export function silentServerError(
  outcomes: readonly (FellShort & { cassette: string })[],
  passed: boolean,
): McpRecordError | undefined {
  const isWhy = (kind: Finding['kind']) =>
    kind === 'missing' || (passed ? kind === 'unconnected' : kind === 'unanswerable');
  const silent = outcomes.find(({ findings }) => findings.some(({ kind }) => isWhy(kind)));
  if (silent === undefined) return undefined;
  const { findings, failures = [] } = silent;
  const why = findings.filter((finding) => isWhy(finding.kind) || failures.includes(finding));
  return sessionFailedError(silent.cassette, { ...silent, failures: why });
}

/** Result of a test function. */
export interface TestEnd {
  passed: boolean;
  /** Whether the test ran into its time limit, probably while waiting for a message. */
  hasTimedOut?: boolean;
}

/** Maximum number of faults in a note. */
const NAMED_MAX = 5;

/** Returns a note on the last faults before a test's time limit: the test may have waited for a withheld message. */
export function notesOnFaults(
  { hasTimedOut = false }: Pick<TestEnd, 'hasTimedOut'>,
  fired: readonly Fired[],
): string[] {
  if (!hasTimedOut || fired.length === 0) return [];
  const last = fired.slice(-NAMED_MAX).map(({ fault, from, message, method }) => {
    return `${fault} on message ${message} of the ${from}${method === undefined ? '' : ` (${method})`}`;
  });
  const advice = "If it waits for an answer, it needs a timeout that is shorter than the test's.";
  // A late answer may have had a timeout: then a later request waits behind it.
  const behind = fired.some(({ fault }) => fault === 'latency')
    ? ' After latency, all later answers of the server wait, too: their order is kept. To withhold one answer only, use drop, or a handler that never answers.'
    : '';
  return [`the test ran into its time limit after these faults: ${last.join(', ')}. ${advice}${behind}`];
}

/**
 * Kinds of findings that may explain a failed test. Other kinds, such as unused entries, may result from the test's
 * early end.
 */
const LIKELY_CAUSES: ReadonlySet<Finding['kind']> = new Set(['miss', 'invalid', 'differs', 'stray', 'thrown']);
/** Kinds of findings that may explain a time limit. After a failed `expect`, open requests are normal. */
const LIKELY_WAITS: ReadonlySet<Finding['kind']> = new Set(['unanswered', 'unfinished']);

/**
 * Adds the findings that may explain the failure of a test to the outcome of its session. A refusal of the authorization
 * server is one, also if it would not fail the test by itself: the client throws an error that does not say why.
 */
export function withLikelyCauses<Outcome extends { findings: readonly Finding[]; failures?: readonly Finding[] }>(
  outcome: Outcome,
  { hasTimedOut = false }: Pick<TestEnd, 'hasTimedOut'> = {},
): Outcome & { failures: Finding[]; failed: boolean } {
  const isLikely = ({ kind, changesAnswer = false }: Finding) =>
    changesAnswer || LIKELY_CAUSES.has(kind) || (hasTimedOut && LIKELY_WAITS.has(kind));
  const refused = outcome.findings.filter(({ kind }) => kind === 'refused');
  const failures = [...new Set([...(outcome.failures ?? []).filter(isLikely), ...refused])];
  return { ...outcome, failures, failed: failures.length > 0 };
}

interface FellShort extends Recordable {
  findings: readonly Finding[];
  /** Findings that fail the test. Absent: all findings. */
  failures?: readonly Finding[];
  /** Path of the kept recording of a failed run. */
  kept?: string;
  /** Whether the findings are those of a mock client. */
  isOfClient?: boolean;
  /** Method (`finish` or `reset`) whose outcome the test did not read. */
  unread?: string;
}

/** Returns the error about the recording of a failed test. */
export function recordingKept({ cassette, recording }: { cassette: string; recording: string }): McpRecordError {
  return new McpRecordError({
    code: 'RECORDING_KEPT',
    what: `Did not record ${cassette}`,
    why: 'the test failed, so that the cassette is as it was',
    next: keptText(recording),
  });
}

/** Returns the error about a clock that a test takes after it has started something that may need it. */
export function clockTooLate(): McpRecordError {
  return new McpRecordError({
    code: 'CLOCK_TOO_LATE',
    what: 'Cannot stop the time of this test',
    why: 'mcp.server, mcp.connect or another function of mcp has been called before, and what it started has another clock',
    next: 'Call mcp.clock() first: const clock = mcp.clock(); and then mcp.server(…).',
  });
}

function keptText(recording: string): string {
  return `What the test recorded is kept until it passes: npx mcp-record show ${recording}`;
}

const WHY: readonly (readonly [Finding['kind'], string])[] = [
  ['miss', 'a request is not in the cassette'],
  ['invalid', 'a call has arguments that its schema forbids'],
  ['unused', 'not all of the cassette was used'],
  ['differs', 'the client says something else than the recorded one'],
  ['unrecorded', 'the client says what is not in the cassette'],
  ['unanswered', 'the client gives no result for a request of the server'],
  ['stray', 'the client answers what nobody asked'],
  ['unanswerable', 'a request has no answer in the cassette'],
  ['leaked', 'something was left running'],
  ['unfired', 'not all of its faults happened'],
  ['uncalled', 'not all of its handlers were called'],
  ['unretried', 'the client did not try again after an error'],
  ['unauthorized', 'the client was refused, and never made the request again with a token'],
  ['refused', 'the authorization server refused a request'],
  ['thrown', 'a handler or a fault is wrong'],
  ['unfinished', 'a handler never answers'],
  ['ended', 'an endpoint was used after its end'],
  ['unawaited', 'the test did not await a wait for a message'],
];

/** Reasons for a mock server without a cassette. */
const WITHOUT_CASSETTE: typeof WHY = [
  ['miss', 'no handler answers a request'],
  ['invalid', 'a call has arguments that its schema forbids'],
  ['differs', 'the client sends what the specification or the request does not allow'],
];

/** Returns the error's `what` and `why`, according to the kinds of findings. */
function headingOf(cassette: string, kinds: ReadonlySet<Finding['kind']>): { what: string; why: string } {
  if (kinds.has('missing')) return { what: `Cannot record ${cassette}`, why: 'its server never said a message' };
  if (kinds.has('unconnected')) return { what: `Cannot record ${cassette}`, why: 'no client has connected' };
  const why = WHY.flatMap(([kind, words]) => (kinds.has(kind) ? [words] : [])).join(', and ');
  const what =
    cassette === '' ? 'The mock server was not used as it should be' : `The session is not that of ${cassette}`;
  return {
    what,
    why: (cassette === '' && WITHOUT_CASSETTE.find(([kind]) => kinds.has(kind))?.[1]) || why || 'see below',
  };
}

/** Reasons for a mock client, whose peer is the server under test. */
const OF_CLIENT: typeof WHY = [
  ['miss', 'no handler answers a request of the server'],
  ['differs', 'the server sends what the specification does not allow'],
  ['stray', 'the server answers what nobody asked'],
  ['uncalled', 'not all of its handlers were called'],
  ['thrown', 'the server or a handler is wrong'],
  ['unfinished', 'a handler never answers'],
];

function headingOfClient(_: string, kinds: ReadonlySet<Finding['kind']>): { what: string; why: string } {
  const why = OF_CLIENT.flatMap(([kind, words]) => (kinds.has(kind) ? [words] : [])).join(', and ');
  return { what: 'The session of the mock client went wrong', why: why || 'see below' };
}

/** Ends an endpoint. Returns the outcome, with the fields for advice on failures. */
export function outcomeOfEndpoint(
  { mode, cassette, finish, canRecord }: FetchEndpoint,
  passed: boolean,
): EndpointOutcome & Pick<FetchEndpoint, 'mode' | 'cassette' | 'canRecord'> & { canAdd: false } {
  return { mode, cassette, ...(canRecord !== undefined && { canRecord }), canAdd: false, ...finish({ passed }) };
}

/** Returns the findings about rules that fired in no session. */
export function unfiredIn(findings: readonly (readonly Finding[])[]): Finding[] {
  const [first = [], ...rest] = findings.map((all) => all.filter(({ kind }) => kind === 'unfired'));
  return first.filter(({ text }) => rest.every((others) => others.some((other) => other.text === text)));
}
