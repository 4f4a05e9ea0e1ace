import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { literalSource } from '../../kernel/linear-regex.ts';
import { pointerOf } from '../../protocol/json-pointer.ts';
import { isObject, resultOf } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { valueAt } from '../../protocol/scalar-key.ts';
import { isRedacted } from '../../redact/replace/placeholder-format.ts';
import { isSameItem, type ReturnedValue } from '../../replay/tokens/returned-values.ts';
import type { Step } from '../../text-report/outcome-model.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { isMembers } from './equal-placeholders.ts';
import { hasComparedResult } from './uncompared-secrets.ts';

/** A recorded value with its live counterpart, which the server returned and the recorded client sent. */
export interface ReplacedValue extends SentValue {
  live: string;
}

/** A recorded id, and the live one that stands for it. */
export type KnownId = Pick<ReplacedValue, 'recorded' | 'live' | 'isShort'>;

/** Returns the values of a run that the live server issued anew. Placeholders are left out: any value equals them. */
export function replacedValues(run: ServerRun): ReplacedValue[] {
  return allReplacedValues(run).filter(({ recorded }) => !isRedacted(recorded));
}

function allReplacedValues(run: ServerRun): ReplacedValue[] {
  const { live: lives } = run.returned;
  return sentValues(run).flatMap((value) => {
    const live = lives.get(value.recorded);
    return live === undefined ? [] : [{ ...value, live }];
  });
}

/** Returns the placeholders of a run for which the live server returned a value, and the recorded client sent it. */
export function followedPlaceholders({ returned }: ServerRun): Set<string> {
  return new Set([...returned.live.keys()].filter(isRedacted));
}

/** A value that the recorded client sent. */
interface SentValue extends ReturnedValue {
  /** The request whose answer returned it. */
  request: SessionEntry;
}

function sentValues({ returned, sentRequests, plan: { entries, links } }: ServerRun): SentValue[] {
  const sent = returned.values.filter((value) => sentRequests.has(value.sent.entry));
  return sent.map((value) => ({ ...value, request: entries[links.requestOf.get(value.returned.entry)!]! }));
}

/** Returns the values that answers of earlier requests returned, and those that a test names in this answer. */
export function replacedBefore({ index }: SessionEntry, replaced: readonly ReplacedValue[]): ReplacedValue[] {
  return replaced.filter(({ request, isCaptured }) => request.index < index || (isCaptured && request.index === index));
}

/** Returns the ids of these answers that the live server issued anew, and that a later request sends. */
export function replacedIn(exchanges: ServerRun['exchanges'], { returned: { live, values } }: ServerRun): KnownId[] {
  const answers = new Set(exchanges.map(({ recorded }) => recorded?.index));
  return values.flatMap(({ recorded, returned, isCaptured, isShort }) => {
    const now = isRedacted(recorded) || isCaptured || !answers.has(returned.entry) ? undefined : live.get(recorded);
    return now === undefined ? [] : [{ recorded, live: now, ...(isShort && { isShort }) }];
  });
}

/** Returns a note for each place where the recorded client sent a replaced value. The parts of a replaced text have none. */
export function replacedValueNotes(run: ServerRun): string[] {
  return withoutParts(allReplacedValues(run)).map(({ recorded, live, request, sent }) =>
    isRedacted(recorded)
      ? `${named(request)} returned the live value of ${recorded}: sent at ${placeOf(sent, run)}.`
      : `${named(request)} returned "${live}" in place of "${recorded}": sent so at ${placeOf(sent, run)}.`,
  );
}

/** Returns a note for each replaced value, with its first place, which is the same in all runs of the same cassette. */
export function replacedValueNotesOfAnyRun(run: ServerRun): string[] {
  const places = new ListMap<string, string>();
  for (const { recorded, request, sent } of withoutParts(allReplacedValues(run)))
    places.add(`${named(request)} returned a new value in each session in place of "${recorded}"`, placeOf(sent, run));
  return [...places].map(([note, [first, ...more]]) => {
    return `${note}: sent so at ${first}${more.length === 0 ? '' : ` and ${formatCount(more.length, 'other place')}`}.`;
  });
}

/**
 * Returns a note for each place where the recorded client sent a recorded value that the live answer does not have, since
 * no live value was found in its place. A request that failed needs no such note.
 */
export function staleValueNotes(run: ServerRun): string[] {
  const { live } = run.returned;
  const answered = run.exchanges.filter(hasComparedResult);
  const answers = new Map(answered.map((exchange) => [exchange.recorded?.index, exchange.live]));
  const isStale = ({ recorded, returned }: ReturnedValue) =>
    !live.has(recorded) && answers.get(returned.entry)?.text.includes(recorded) === false;
  return withoutParts(sentValues(run))
    .filter(isStale)
    .map((value) => {
      const { recorded, request, sent, returned } = value;
      const messages = {
        recorded: run.plan.entries[returned.entry]?.json?.value,
        live: answers.get(returned.entry)!.value,
      };
      return `"${recorded}" was sent as recorded at ${placeOf(sent, run)}, because ${reasonOf(value, messages)} the answer to ${named(request)}.`;
    });
}

/** Returns why a live answer has no counterpart of a value: its place is gone, or the text there is another one. */
function reasonOf(
  { returned: { path }, isListed }: Pick<ReturnedValue, 'returned' | 'isListed'>,
  { recorded, live }: { recorded: unknown; live: unknown },
): string {
  const now = valueAt(live, path);
  if (typeof now !== 'string' && typeof now !== 'number') return `${pointerOf(path)} is ${stateOf(now)} in`;
  const isOther = isListed && !isSameItem(path, recorded, live);
  return isOther ? `an item with another name is at ${pointerOf(path)} in` : 'the text around it has changed in';
}

/** Returns words for a value that is not of the recorded type. */
export function stateOf(value: unknown): string {
  if (value === undefined) return 'gone';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

function withoutParts<T extends ReturnedValue>(values: readonly T[]): T[] {
  const whole = new Set(values.flatMap(({ sent }) => (sent.span === undefined ? [sent.path] : [])));
  return values.filter(({ sent }) => sent.span === undefined || !whole.has(sent.path));
}

function placeOf({ path, entry }: ReturnedValue['sent'], { plan }: ServerRun): string {
  return `${pointerOf(path)} of ${named(plan.entries[entry]!)}`;
}

function named({ message, line }: SessionEntry): string {
  return `${messageTitle(message)} (line ${line})`;
}

/** Places of task ids in answers. */
const TASK_PLACES: readonly (readonly string[])[] = [
  ['taskId'],
  ['task', 'taskId'],
  ['_meta', META.relatedTask, 'taskId'],
];

/**
 * Returns a failed step for each answer about a wrong task: not the requested task, or the task of another call. A
 * recorded task id has one live counterpart.
 */
export function mixedTaskSteps({ exchanges }: ServerRun): Step[] {
  const lives = new Map<string, string>();
  const recordeds = new Map<string, string>();
  return exchanges.flatMap(({ request, recorded, live }): Step[] => {
    for (const path of TASK_PLACES) {
      const [before, now] = [recorded?.json?.value, live.value].map((message) => textAt(resultOf(message), path));
      if (before === undefined || now === undefined) continue;
      const [known, other] = [lives.get(before) ?? now, recordeds.get(now) ?? before];
      lives.set(before, known);
      recordeds.set(now, other);
      if (known === now && other === before) continue;
      const headline = known === now ? `"${now}" is the id of another task` : `is about task "${now}", not "${known}"`;
      return [{ title: messageTitle(request.message), line: request.line, status: 'failed', headline }];
    }
    return [];
  });
}

function textAt(value: unknown, path: readonly string[]): string | undefined {
  const found = path.reduce((here, key) => (isObject(here) ? here[key] : undefined), value);
  return typeof found === 'string' ? found : undefined;
}

/**
 * Returns `live` with the recorded value where a later answer repeats the replaced one. Another value in its place stays
 * a difference.
 */
export function withRecordedValues(recorded: unknown, live: unknown, replaced: readonly KnownId[]): unknown {
  if (replaced.length === 0) return live;
  if (Array.isArray(recorded) && Array.isArray(live))
    return live.map((item, index) => withRecordedValues(recorded[index], item, replaced));
  if (isMembers(recorded) && isMembers(live)) {
    const members = Object.entries(live).map(([key, item]) => {
      const before = Object.hasOwn(recorded, key) ? recorded[key] : undefined;
      return [key, withRecordedValues(before, item, replaced)];
    });
    return Object.fromEntries(members);
  }
  if (typeof recorded === 'number' && typeof live === 'number')
    return replaced.some((one) => one.recorded === `${recorded}` && one.live === `${live}`) ? recorded : live;
  if (typeof recorded !== 'string' || typeof live !== 'string') return live;
  const repeated = replaced.filter((one) => recorded.includes(one.recorded));
  const text = withAll(live, repeated);
  return repeated.reduce((rest, one) => (one.isShort ? withShort(recorded, rest, one) : rest), text);
}

/** Puts all recorded values back at once: the live value of one may be the recorded one of another, as of a counter. */
function withAll(text: string, replaced: readonly KnownId[]): string {
  const byLive = new Map(replaced.flatMap(({ live, recorded, isShort }) => (isShort ? [] : [[live, recorded]])));
  if (byLive.size === 0) return text;
  const longestFirst = [...byLive.keys()].sort((a, b) => b.length - a.length);
  return text.replaceAll(new RegExp(longestFirst.map(literalSource).join('|'), 'g'), (live) => byLive.get(live)!);
}

/**
 * Puts a short value back where it is a word of its own. One without a letter may be a count by chance: it is put back
 * where the recorded text has it at the same word.
 */
function withShort(before: string, text: string, { live, recorded }: KnownId): string {
  if (text === live) return recorded;
  if (/[A-Za-z]/.test(live)) return text.replaceAll(/[\w-]+/g, (word) => (word === live ? recorded : word));
  const words = before.match(/\w+/g) ?? [];
  let at = 0;
  const replaced = text.replaceAll(/\w+/g, (word) => (words[at++] === recorded && word === live ? recorded : word));
  return at === words.length ? replaced : text;
}
