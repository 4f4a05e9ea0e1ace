import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { versionNote } from '../../contract/server-info-change.ts';
import { missingListNotes } from '../../contract/usage/missing-lists.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import type { NamedRule } from '../../match/ignore-usage.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { SecretBindings } from '../../replay/match/secret-bindings.ts';
import type { Outcome, Step } from '../../text-report/outcome-model.ts';
import type { Exchange, ServerRun } from '../run/run-recorded-client.ts';
import { compareAnswer, slowerNotes, type TimeLimits } from './compare-answer.ts';
import { refusedMessageSteps, refusedOpenSteps } from './compare-http-refusals.ts';
import {
  type AllowedNotifications,
  cancelledSubscriptionSteps,
  compareServerMessages,
  progressSteps,
  serverRequestSteps,
  straySteps,
  unrecordedNotes,
  unrecordedSteps,
} from './compare-server-messages.ts';
import type { LiveRedaction } from './equal-placeholders.ts';
import { type Answer, gatherAnswer, gatherAnswers, withOwnRules } from './gather-answers.ts';
import { LiveIds } from './inconsistent-server-ids.ts';
import { hollowAnswerSteps, nothingVerified, unrecordedAnswerSteps } from './nothing-compared-steps.ts';
import {
  followedPlaceholders,
  mixedTaskSteps,
  replacedIn,
  replacedValueNotes,
  replacedValueNotesOfAnyRun,
  replacedValues,
  staleValueNotes,
} from './server-made-values.ts';
import {
  BROKEN_OFF,
  brokenBy,
  INTERRUPTED,
  junkSteps,
  sessionLevelSteps,
  unansweredSteps,
  unreadableSteps,
} from './session-end-steps.ts';
import { hasComparedResult, ungivenSecretNotes, unlikeSecretNotes } from './uncompared-secrets.ts';
import { idleHandleNotes, lostValues, unfollowedNotes } from './unfollowed-values.ts';
import { unusedIgnores } from './unused-ignores.ts';

export interface CompareOptions extends TimeLimits {
  /** Name of the cassette. */
  file: string;
  driven: ServerRun;
  /** JSON Pointers to ignore, in addition to volatile values. */
  ignore?: readonly Ignore[];
  /** Rules of `ignore` with their names. Unused rules are noted. */
  named?: readonly NamedRule[];
  /** Whether this run is one of many with the same cassette. Its notes then have no values that are new in each run. */
  isOneOfMany?: boolean;
  /** Notifications that may come although the cassette does not have them. Absent: all may, and are noted. */
  allowed?: AllowedNotifications | undefined;
  /** Whether unrecorded notifications fail that vary between runs, such as logs, and a recording that was cut short. */
  strict?: boolean;
  /** Redaction of live values, which then equal recorded placeholders. */
  redaction?: LiveRedaction;
  /** Returns how to give secrets of these names, for a note on those that were not given. Default: as `secrets` in a test. */
  howToGive?: (variables: readonly string[]) => string;
}

const AS_OPTION = (variables: readonly string[]): string =>
  `To compare, give ${variables.length === 1 ? 'it' : 'them'}: secrets: { ${variables.map((name) => `${name}: process.env.${name}`).join(', ')} }.`;

/** Compares a live server's messages with the cassette. */
export function compareSession(options: CompareOptions): Outcome {
  const { file, driven, ignore = [], timeMax, slower, strict = false, named = [], isOneOfMany = false } = options;
  const unrecorded = { allowed: options.allowed, strict };
  const redaction = withBindings(options.redaction);
  const volatile = [...VOLATILE, ...ignore];
  const { answers, unanswered } = gatherAnswers(driven, volatile);
  const replaced = replacedValues(driven);
  const ids = new LiveIds(driven, ignore, options.redaction);
  const lists = answers.filter(({ request }) => isToolList(request));
  const toolLists = () => lists;
  // Answers come first, because they are also compared before the end.
  const answered = answers.map((answer) => {
    const isCancelled = driven.plan.links.cancelOf.has(answer.request.index);
    const wrong = answer.exchanges.flatMap((one) => [...ids.wrongIn(one), ...lostValues(one, driven, ignore)]);
    const own = replacedIn(answer.exchanges, driven);
    return compareAnswer(answer, { timeMax, slower, isCancelled, redaction, replaced, own, wrong, toolLists });
  });
  const told = [
    ...progressSteps(driven),
    ...compareServerMessages(driven, volatile, redaction),
    ...serverRequestSteps(driven, volatile, redaction),
  ];
  const steps = [
    ...answered,
    ...unansweredSteps(unanswered, driven),
    ...(brokenBy(driven) === undefined ? told : told.map((step) => unchecked(step, driven))),
    ...hollowAnswerSteps(answers),
    ...cancelledSubscriptionSteps(driven),
    ...sessionLevelSteps(driven),
    ...junkSteps(driven),
    ...unreadableSteps(driven),
    ...refusedMessageSteps(driven),
    ...refusedOpenSteps(driven),
    ...mixedTaskSteps(driven),
    ...straySteps(driven),
    ...unrecordedSteps(driven, unrecorded),
    ...(strict ? cutShortSteps(driven) : []),
  ];
  const forgotten = unrecordedAnswerSteps(driven, file);
  const lines = new Set(forgotten.map(({ line }) => line));
  const judged = [...steps.filter(({ line, status }) => status !== 'skipped' || !lines.has(line)), ...forgotten];
  if (!driven.isAborted) judged.push(...nothingVerified(judged, driven));
  const byLine = judged.sort((a, b) => (a.line ?? LAST) - (b.line ?? LAST));
  return {
    title: 'verify',
    file,
    steps: byLine,
    notes: [
      ...notesOf(driven, ignore, isOneOfMany ? replacedValueNotesOfAnyRun : replacedValueNotes),
      ...unrecordedNotes(driven, unrecorded),
      ...notesOfMissingLists(byLine, file, driven),
      ...(redaction ? ungivenNotes(comparedMessages(answers, driven, volatile), { ...options, redaction }) : []),
      ...(redaction ? unlikeSecretNotes(answers, redaction) : []),
      ...unusedIgnores(driven, file, named),
      ...slowerNotes(answers, options),
    ],
    duration: driven.duration,
  };
}

function ungivenNotes(
  messages: readonly unknown[],
  { driven, redaction, howToGive = AS_OPTION }: CompareOptions & { redaction: LiveRedaction },
): string[] {
  return ungivenSecretNotes(messages, { ...redaction, followed: followedPlaceholders(driven) }, howToGive);
}

/** Returns the recorded messages of the server that live ones were compared with, without what is ignored. */
function comparedMessages(
  answers: readonly Answer[],
  { notifications }: ServerRun,
  ignore: readonly Ignore[],
): unknown[] {
  return [
    ...answers.flatMap(({ exchanges, recorded }) =>
      exchanges.some(isOptional) || !exchanges.some(hasComparedResult) ? [] : [recorded],
    ),
    ...notifications.map(({ recorded }) => valueWithoutIgnored(recorded?.json, withOwnRules(ignore, recorded))),
  ];
}

function isOptional({ recorded }: Exchange): boolean {
  return recorded?.match?.optional === true;
}

/** Returns the redaction with a place for the values of this run's placeholders, unless it has one. */
function withBindings(redaction: LiveRedaction | undefined): LiveRedaction | undefined {
  return redaction && { bindings: new SecretBindings(), ...redaction };
}

/** Values of placeholders in runs whose answers are compared before their end. */
const bindingsOfRuns = new WeakMap<ServerRun, LiveRedaction | undefined>();

/** Returns a failed step for a recording that was cut short: its missing part is not verified. */
function cutShortSteps({ isCutShort, plan }: ServerRun): Step[] {
  if (isCutShort !== true) return [];
  const headline = 'the recording was cut short, so that its last messages are not verified: record the session again';
  const line = plan.entries.at(-1)?.line;
  return [{ title: 'the cassette', status: 'failed', headline, ...(line !== undefined && { line }) }];
}

const LAST = Number.POSITIVE_INFINITY;

/** Skips a missing message after an early end, which is reported once. */
function unchecked(step: Step, { isAborted }: ServerRun): Step {
  const isMissing = step.status === 'failed' && step.line !== undefined && step.live === undefined;
  return isMissing ? { ...step, status: 'skipped', headline: isAborted ? INTERRUPTED : BROKEN_OFF } : step;
}

/**
 * Returns the step of an answer as soon as all its parts have arrived. Equals the final step of {@link compareSession},
 * except that `isMoreThanValues` is not known for a new id that a later request sends. Undefined while parts are missing.
 */
export function stepOfAnswer(exchange: Exchange, options: CompareOptions): Step | undefined {
  const { driven, ignore = [], timeMax, slower } = options;
  const redaction = bindingsOfRuns.get(driven) ?? withBindings(options.redaction);
  bindingsOfRuns.set(driven, redaction);
  const answer = gatherAnswer(exchange, driven, [...VOLATILE, ...ignore]);
  if (answer === undefined) return undefined;
  const step = compareAnswer(answer, {
    timeMax,
    slower,
    isCancelled: driven.plan.links.cancelOf.has(answer.request.index),
    redaction,
    replaced: replacedValues(driven),
    own: replacedIn(answer.exchanges, driven),
    wrong: answer.exchanges.flatMap((one) => [...liveIdsOf(options).wrongIn(one), ...lostValues(one, driven, ignore)]),
    toolLists() {
      const exchanges = driven.exchanges.filter(({ request }) => isToolList(request));
      return gatherAnswers({ ...driven, exchanges, unanswered: [] }, [...VOLATILE, ...ignore]).answers;
    },
  });
  return step.status === 'skipped' ? undefined : step;
}

/** Ids of runs that are not over yet. */
const liveIds = new WeakMap<ServerRun, LiveIds>();

function liveIdsOf({ driven, ignore = [], redaction }: CompareOptions): LiveIds {
  const ids = liveIds.get(driven) ?? new LiveIds(driven, ignore, redaction);
  liveIds.set(driven, ids);
  return ids;
}

function isToolList({ message }: SessionEntry): boolean {
  return isRequest(message) && message.method === 'tools/list';
}

/**
 * Returns a note for each list that the recorded client did not request, although it defines an item used in a failed
 * step.
 */
function notesOfMissingLists(steps: readonly Step[], file: string, { plan }: ServerRun): string[] {
  const failed = new Set(steps.filter(({ status }) => status === 'failed').map(({ line }) => line));
  const asked = plan.entries.filter(({ from, message }) => from === 'client' && isRequest(message));
  const methodsOf = (entries: readonly SessionEntry[]) =>
    new Set(entries.map(({ message }) => (isRequest(message) ? message.method : '')));
  return missingListNotes({
    file,
    asked: methodsOf(asked),
    used: methodsOf(asked.filter(({ line }) => failed.has(line))),
  });
}

const NOTES_MAX = 10;
const NOTED: ReadonlySet<Finding['kind']> = new Set(['late', 'unplayable', 'unanswerable', 'default']);

function limited(notes: readonly string[]): string[] {
  if (notes.length <= NOTES_MAX) return [...notes];
  return [...notes.slice(0, NOTES_MAX), `And ${notes.length - NOTES_MAX} more of the kind.`];
}

/** Returns notes about the run that belong to no step. */
function notesOf(
  driven: ServerRun,
  ignore: readonly Ignore[],
  replacedNotes: (run: ServerRun) => readonly string[],
): string[] {
  const { exchanges, findings, plan } = driven;
  const versions = exchanges.flatMap(({ recorded, live }) => versionNote(recorded?.json?.value, live.value) ?? []);
  const told = findings.filter(({ kind }) => NOTED.has(kind)).map(({ text }) => text);
  // Over HTTP a resumed stream may repeat an answer, and a refusal has no id.
  const answers = new Set([...plan.links.requestOf.keys()].map((index) => plan.entries[index]!.json?.text));
  const isStray = ({ index, from, message, json }: SessionEntry) =>
    from === 'server' &&
    isResponse(message) &&
    message.id != null &&
    !plan.links.requestOf.has(index) &&
    !answers.has(json?.text);
  const strays = plan.entries.filter(isStray).map(({ line }) => line);
  return [
    ...(driven.isAborted ? ['Interrupted: the steps that were not reached are skipped.'] : []),
    ...new Set(versions),
    ...limited(told),
    ...limited(replacedNotes(driven)),
    ...limited(staleValueNotes(driven)),
    ...limited(unfollowedNotes(driven, ignore)),
    ...limited(idleHandleNotes(driven)),
    ...(strays.length > 0 ? [`The cassette itself has answers without a request, at line ${strays.join(', ')}.`] : []),
  ];
}
