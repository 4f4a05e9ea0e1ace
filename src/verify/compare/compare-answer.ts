import { coversAllDifferences } from '../../contract/changes-cover-differences.ts';
import { contractChanges, worstOf } from '../../contract/contract-changes.ts';
import { differenceWords } from '../../contract/describe-message-difference.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { newOutputFields } from '../../contract/schema/new-output-fields.ts';
import { isTimed, slowerLimitNotes, slowerWords } from '../../contract/slower-answer.ts';
import { withDefaultsAsRecorded } from '../../contract/spelled-out-defaults.ts';
import type { Milliseconds } from '../../kernel/clock.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import type { Change } from '../../match/contract-change-types.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import { isObject, isRequest } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import type { Exchange } from '../run/run-recorded-client.ts';
import { errorBodies, refusedStep } from './compare-http-refusals.ts';
import {
  hasLiteralPlaceholder,
  type LiveRedaction,
  placeholderAdvice,
  withRecordedPlaceholders,
} from './equal-placeholders.ts';
import { type Answer, hasPagesAsRecorded, invalidCursor, isEndless } from './gather-answers.ts';
import type { WrongId } from './inconsistent-server-ids.ts';
import { type KnownId, type ReplacedValue, replacedBefore, withRecordedValues } from './server-made-values.ts';
import { OPTIONAL } from './session-end-steps.ts';

export interface CompareAnswerOptions {
  /** Maximum duration of the answer. */
  timeMax?: Milliseconds | undefined;
  /** Maximum duration as a multiple of the recorded one. Absent: no limit. */
  slower?: number | undefined;
  /** Whether the recorded client cancelled the call. The server may then answer or not ("Cancellation"). */
  isCancelled?: boolean;
  /** Redaction of live values. Absent: placeholders are compared as plain text. */
  redaction?: LiveRedaction | undefined;
  /** Values of earlier answers that differ from the cassette. */
  replaced?: readonly ReplacedValue[];
  /** Ids of this answer that differ from the cassette, and that later requests send. */
  own?: readonly KnownId[];
  /** Ids in the answer that contradict other places with the same recorded id. */
  wrong?: readonly WrongId[];
  /** Returns the answers to `tools/list`. Called only if an answer to a tool call differs. */
  toolLists?: () => readonly Answer[];
}

/** Compares a live answer with the recorded answer, and checks its duration. */
export function compareAnswer(answer: Answer, options: CompareAnswerOptions = {}): Step {
  const { isCancelled = false, replaced = [], own = [], wrong = [] } = options;
  const isOptional = answer.exchanges.some((exchange) => exchange.recorded?.match?.optional);
  // Optional answers may vary, so their secrets are not bound to placeholders.
  const redaction = options.redaction && (isOptional ? withoutBindings(options.redaction) : options.redaction);
  const { request, recorded, duration } = answer;
  const earlier = replacedBefore(request, replaced);
  const meant = withDefaultsAsRecorded(request.message, recorded, answer.live);
  const live = withRecordedPlaceholders(recorded, withRecordedValues(recorded, meant, earlier), redaction);
  const title = messageTitle(request.message);
  const step = { title, line: request.line, duration };
  const isLate = answer.exchanges.some(({ refusal }) => refusal === undefined);
  const early = answer.exchanges.find(({ isEarlyEnd }) => isEarlyEnd);
  if (early) return { title, line: request.line, status: 'failed', headline: earlyEndWords(early) };
  const refused = answer.exchanges.map(refusedStep).find((one) => one !== undefined);
  if (refused && isCancelled && isLate)
    return { ...step, status: 'skipped', headline: 'was cancelled in the cassette' };
  const isBody = answer.exchanges.every((exchange) => errorBodies(exchange) !== undefined);
  if (refused?.status === 'passed' && isBody && canonicalJson(recorded) !== canonicalJson(live)) {
    const headline = `HTTP ${answer.exchanges[0]!.refusal!.status} with another body`;
    return { ...step, status: 'failed', headline, recorded, live, isMoreThanValues: true };
  }
  if (refused) {
    // A broken-off answer has no time: it never came.
    const { duration: _, ...untimed } = step;
    const isCut = answer.exchanges.every(({ refusal }) => refusal !== undefined && refusal.status === undefined);
    return { ...(isCut ? untimed : step), status: 'failed', ...refused };
  }
  if (recorded === undefined) return { ...step, status: 'skipped', headline: 'was not answered in the cassette' };
  if (isOptional) return { ...step, status: 'skipped', headline: OPTIONAL };
  if (isEndless(answer)) {
    const change: Change = { severity: 'breaking', path: '/result/nextCursor', reason: ENDLESS };
    return { ...step, status: 'failed', headline: worstOf([change]), changes: [change], isMoreThanValues: true };
  }
  const cursor = invalidCursor(answer);
  if (cursor !== undefined) {
    const reason = `a page of the list has the cursor ${JSON.stringify(cursor)}, which is no text`;
    const change: Change = { severity: 'breaking', path: '/result/nextCursor', reason };
    return { ...step, status: 'failed', headline: worstOf([change]), changes: [change], isMoreThanValues: true };
  }
  const words = differenceWords(recorded, live);
  if (words !== '') {
    const fields = wrong.length > 0 ? [] : outputFields({ ...answer, live }, options);
    const changes = fields.length > 0 ? fields : contractChanges(request.message, recorded, live);
    const beside = besideValues(answer, options);
    const shown = wrong.filter(({ isHidden }) => !isHidden).map(({ words }) => words);
    const details = [...placeholderAdvice(recorded, live, redaction), ...shown, ...beside];
    const areAll = fields.length > 0 || coversAllDifferences({ request: request.message, recorded, live, changes });
    const headline = changes.length > 0 ? worstOf(changes, areAll) : words;
    const hasAllChanges = beside.length === 0 && areAll;
    // The cassette keeps such an id, since a request repeats it. The next run has another one.
    const hasNewId = differenceWords(live, withRecordedValues(recorded, live, own)) !== '';
    return {
      ...step,
      status: 'failed',
      headline,
      recorded,
      live,
      changes,
      ...(hasAllChanges && { hasAllChanges }),
      ...((beside.length > 0 || hasNewId || !hasPagesAsRecorded(answer) || hasLiteralPlaceholder(live)) && {
        isMoreThanValues: true,
      }),
      ...(details.length > 0 && { details }),
    };
  }
  const [headline, ...details] = besideValues(answer, options);
  if (headline === undefined) return { ...step, status: 'passed' };
  return { ...step, status: 'failed', headline, ...(details.length > 0 && { details }) };
}

/** Returns a headline for a subscription that the server ended, and the recorded one did not. */
function earlyEndWords({ refusal }: Exchange): string {
  const how = refusal === undefined ? 'was answered, and so ended by the server' : `ended early: ${refusal.words}`;
  return `${how}; in the cassette it stayed open until the client left`;
}

const ENDLESS = 'the list does not end: its last pages repeat, or their cursors do';

/** Returns the changes of an answer that only has new fields, which the list of tools announces. */
function outputFields({ request, recorded, live, exchanges }: Answer, { toolLists }: CompareAnswerOptions): Change[] {
  if (!isRequest(request.message) || request.message.method !== 'tools/call') return [];
  const [exchange] = exchanges;
  const list = toolLists?.().findLast((one) => one.request.index < request.index);
  if (list === undefined) return [];
  return newOutputFields(
    request.message,
    { compared: recorded, received: exchange?.recorded?.message, tools: list.recorded },
    { compared: live, received: exchange?.live.value, tools: list.live },
  );
}

function withoutBindings({ bindings: _, ...redaction }: LiveRedaction): LiveRedaction {
  return redaction;
}

/**
 * Returns the problems of an answer apart from the compared values: hidden wrong ids, late arrival, HTTP status,
 * duration.
 */
function besideValues(answer: Answer, options: CompareAnswerOptions): string[] {
  const { timeMax = Number.POSITIVE_INFINITY, slower, isCancelled = false, wrong = [] } = options;
  const { duration, exchanges } = answer;
  const grown = slower === undefined ? undefined : grownWords(answer, slower);
  const status = statusWords(answer);
  const isLate = !isCancelled && exchanges.some((exchange) => exchange.isLate);
  return [
    ...wrong.filter(({ isHidden }) => isHidden).map(({ words }) => words),
    ...(isLate ? [`hung: it came after ${Math.round(duration)} ms, when the client had given up`] : []),
    ...(status === undefined ? [] : [status]),
    ...exchanges.flatMap(wrongSubscriptionWords),
    ...(duration <= timeMax ? [] : [`slow: took ${Math.round(duration)} ms, and ${timeMax} ms are allowed`]),
    ...(grown === undefined ? [] : [grown]),
  ];
}

const SUBSCRIPTION: JsonPath = ['result', '_meta', META.subscriptionId];

/** Returns a headline for the end of a subscription that names another one. Both ids of the recorded answer are equal. */
function wrongSubscriptionWords({ recorded, live }: Exchange): string[] {
  const own = scalarKeyAt(live, ['id']);
  const named = scalarKeyAt(live, SUBSCRIPTION);
  const isRecorded = recorded?.json && scalarKeyAt(recorded.json, SUBSCRIPTION) === scalarKeyAt(recorded.json, ['id']);
  if (!isRecorded || named === undefined || named === own) return [];
  return [`it names the subscription ${named}, and not ${own}, which it ends`];
}

function grownWords(answer: Answer, slower: number): string | undefined {
  const { message } = answer.request;
  const durations = { before: recordedDuration(answer), after: answer.duration };
  return slowerWords(isRequest(message) ? message.method : '', durations, slower);
}

/** Limits of the durations of answers. */
export interface TimeLimits {
  /** Maximum duration of an answer. A slower answer fails. */
  timeMax?: Milliseconds;
  /** Name of the option for `timeMax`, for notes. Default: `timeMax`. */
  timeMaxOption?: string;
  /** Maximum duration as a multiple of the recorded one. A slower answer fails. */
  slower?: number;
}

/** Returns notes on answers whose slowdown `slower` cannot detect, such as short ones. */
export function slowerNotes(
  answers: readonly Answer[],
  { slower, timeMax, timeMaxOption = 'timeMax' }: TimeLimits,
): string[] {
  if (slower === undefined || timeMax !== undefined) return [];
  const isCompared = ({ request: { message }, recorded }: Answer) =>
    recorded !== undefined && isRequest(message) && isTimed(message.method);
  const times = answers.filter(isCompared).map((answer) => ({
    title: messageTitle(answer.request.message),
    time: recordedDuration(answer),
    now: answer.duration,
  }));
  return slowerLimitNotes(times, slower, timeMaxOption);
}

/** Returns the recorded duration of an answer. Durations of a list's pages are added. */
function recordedDuration({ exchanges }: Answer): Milliseconds {
  const times = exchanges.map(({ request, recorded }) => (recorded ? recorded.frame.at - request.frame.at : 0));
  return times.reduce((sum, time) => sum + time, 0);
}

/** Returns a headline for a changed HTTP status, which clients check in addition to the message. */
function statusWords({ exchanges }: Answer): string | undefined {
  for (const { recorded, live, status: now } of exchanges) {
    const frame = recorded?.frame;
    if (frame?.kind !== 'message' || now === undefined) continue;
    if (frame.stream === undefined) {
      const hasResult = isObject(live.value) && 'result' in live.value;
      if (hasResult && now !== OK) return `HTTP status ${now}, under which clients read no result`;
      continue;
    }
    const { status: before = OK } = frame;
    if (before !== now) return `HTTP status ${before} → ${now}`;
  }
  return undefined;
}

const OK = 200;
