import type { Cassette } from '../../cassette/cassette.ts';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { differenceWords } from '../../contract/describe-message-difference.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import { formatCount } from '../../kernel/format-count.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { identityOf } from '../../match/request-identity.ts';
import type { JsonPath } from '../../protocol/json-scan.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isObject, isRequest, paramsOf } from '../../protocol/message.ts';
import { META } from '../../protocol/meta.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { headlineAndDetails, type Step } from '../../text-report/outcome-model.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { type LiveRedaction, placeholderAdvice, withRecordedPlaceholders } from './equal-placeholders.ts';
import { withOwnRules } from './gather-answers.ts';
import { replacedBefore, replacedValues, withRecordedValues } from './server-made-values.ts';

/** Method compared by count only: the number of progress reports at a given moment differs between runs. */
const COUNTED = 'notifications/progress';
/** Method not compared: whether the server cancels a request depends on the client's speed. */
const UNCERTAIN = 'notifications/cancelled';

/** Headline of a step that is skipped, since the cassette calls the message optional. */
const LEFT_OUT = 'may be left out, and did not come';

/**
 * Returns a step for each recorded notification: whether it arrived, and with equal content. Progress is checked by
 * `progressSteps`.
 */
export function compareServerMessages(run: ServerRun, ignore: readonly Ignore[], redaction?: LiveRedaction): Step[] {
  const { plan, notifications } = run;
  const replaced = replacedValues(run);
  const live = new Map(notifications.flatMap(({ recorded, live }) => (recorded ? [[recorded.index, live]] : [])));
  const subscriptions = new LiveSubscriptions(run);
  return plan.entries.flatMap((entry): Step[] => {
    const { index, from, line, message, json } = entry;
    if (from !== 'server' || !isNotification(message)) return [];
    const { method } = message;
    if (method === COUNTED || method === UNCERTAIN) return [];
    const step = { title: method, line };
    const heard = live.get(index);
    if (heard === undefined) {
      if (entry.match?.optional) return [{ ...step, status: 'skipped', headline: LEFT_OUT }];
      return [{ ...step, status: 'failed', headline: 'dropped: this notification did not come' }];
    }
    const rules = withOwnRules(ignore, entry);
    const before = valueWithoutIgnored(json, rules);
    const now = withRecordedValues(before, valueWithoutIgnored(heard, rules), replacedBefore(entry, replaced));
    const after = withRecordedPlaceholders(before, now, redaction);
    const headline = differenceWords(before, after) || subscriptions.contradiction(entry, heard);
    if (headline === '') return [{ ...step, status: 'passed' }];
    const advice = placeholderAdvice(before, after, redaction);
    const details = advice.length > 0 ? { details: advice } : {};
    return [{ ...step, status: 'failed', headline, recorded: before, live: after, ...details }];
  });
}

const SUBSCRIPTION: JsonPath = ['params', '_meta', META.subscriptionId];

/**
 * Subscriptions of a run. The id in a notification may differ from the cassette, but it has to be that of a live
 * subscription which gets this notification.
 */
class LiveSubscriptions {
  readonly #run: ServerRun;
  /** Ids of live subscriptions, as JSON tokens, by the notification that they get in the cassette. */
  readonly #ids = new ListMap<string, string>();

  constructor(run: ServerRun) {
    this.#run = run;
    for (const entry of run.plan.entries) {
      const id = entry.from === 'server' && isNotification(entry.message) ? this.#liveId(entry) : undefined;
      if (id !== undefined) this.#ids.add(identityOf(entry.json!).key, id);
    }
  }

  /** Returns a headline if a live notification names a subscription that does not get it, or an empty text. */
  contradiction(recorded: SessionEntry, live: JsonText): string {
    const id = scalarKeyAt(live, SUBSCRIPTION);
    const expected = id === undefined ? [] : [...(this.#ids.get(identityOf(recorded.json!).key) ?? [])];
    if (expected.length === 0 || expected.includes(id!)) return '';
    return `it names the subscription ${id}, and not ${[...new Set(expected)].join(' or ')}, which it is for`;
  }

  /** Returns the id of the live request of a recorded notification's subscription. */
  #liveId({ json, index }: SessionEntry): string | undefined {
    const { plan, sentRequests } = this.#run;
    const recorded = scalarKeyAt(json!, SUBSCRIPTION);
    if (recorded === undefined) return undefined;
    const request = plan.entries.findLast(
      (entry) =>
        entry.index < index &&
        isRequest(entry.message) &&
        entry.from === 'client' &&
        scalarKeyAt(entry.json!, ['id']) === recorded,
    );
    const sent = request && sentRequests.get(request.index);
    return sent && scalarKeyAt(sent, ['id']);
  }
}

/** Returns steps for subscriptions that the server cancelled, and the recorded client ended later. */
export function cancelledSubscriptionSteps({ notifications }: ServerRun): Step[] {
  return notifications.flatMap(({ endedSubscription }): Step[] => {
    if (endedSubscription === undefined) return [];
    const headline = 'was cancelled by the server; in the cassette it stayed open until the client left';
    return [
      { title: messageTitle(endedSubscription.message), line: endedSubscription.line, status: 'failed', headline },
    ];
  });
}

/** Returns steps for calls with less progress than recorded. */
export function progressSteps({ plan, notifications }: ServerRun): Step[] {
  const { entries, links } = plan;
  const live = new Set(notifications.flatMap(({ recorded }) => recorded?.index ?? []));
  return [...links.progressOf].flatMap(([request, reports]): Step[] => {
    const { from, message, line } = entries[request]!;
    const came = reports.filter((report) => live.has(report)).length;
    if (from !== 'client' || links.cancelOf.has(request) || came === reports.length) return [];
    const headline = `missing progress: ${came} of ${reports.length} reports came`;
    return [{ title: `progress of ${messageTitle(message)}`, line, status: 'failed', headline }];
  });
}

/**
 * Returns steps for unrecorded server requests, for recorded ones that never arrived, and for those whose params differ
 * beside what identifies them: another URL to open, for example.
 */
export function serverRequestSteps(run: ServerRun, ignore: readonly Ignore[], redaction?: LiveRedaction): Step[] {
  return [...serverRequestFindings(run), ...changedRequestSteps(run, ignore, redaction), ...leftOutSteps(run)];
}

function leftOutSteps({ plan, notifications }: ServerRun): Step[] {
  const heard = new Set(notifications.map(({ recorded }) => recorded?.index));
  return plan.entries.flatMap(({ index, from, line, message, match }): Step[] => {
    if (from !== 'server' || !isRequest(message) || !match?.optional || heard.has(index)) return [];
    return [{ title: messageTitle(message), line, status: 'skipped', headline: LEFT_OUT }];
  });
}

/** Values of a server's request that the server generates anew in every run, beside those of every message. */
const VOLATILE_IN_REQUESTS: readonly Ignore[] = ['/params/_meta', withoutOwnId];

/** Removes the id of an elicitation from its URL. */
function withoutOwnId(message: unknown): unknown {
  const { elicitationId, url } = paramsOf(message);
  if (!isObject(message) || typeof url !== 'string' || typeof elicitationId !== 'string') return message;
  return { ...message, params: { ...paramsOf(message), url: url.replaceAll(elicitationId, '') } };
}

function changedRequestSteps(run: ServerRun, ignore: readonly Ignore[], redaction?: LiveRedaction): Step[] {
  const replaced = replacedValues(run);
  return run.notifications.flatMap(({ recorded, live }): Step[] => {
    if (recorded?.json === undefined || !isRequest(recorded.message)) return [];
    const rules = [...VOLATILE_IN_REQUESTS, ...withOwnRules(ignore, recorded)];
    const before = valueWithoutIgnored(recorded.json, rules);
    const now = withRecordedValues(before, valueWithoutIgnored(live, rules), replacedBefore(recorded, replaced));
    const after = withRecordedPlaceholders(before, now, redaction);
    const headline = differenceWords(before, after);
    const { line, message } = recorded;
    return headline === ''
      ? []
      : [{ title: messageTitle(message), line, status: 'failed', headline, recorded: before, live: after }];
  });
}

function serverRequestFindings({ findings }: ServerRun): Step[] {
  return findings.flatMap(({ kind, text, entries = [] }): Step[] => {
    if (kind === 'miss') {
      const { headline, details } = headlineAndDetails(text);
      return [{ title: 'a request of the server', status: 'failed', headline, details }];
    }
    if (kind !== 'unused') return [];
    return entries
      .filter(({ message }) => isRequest(message))
      .map(({ message, line }) => ({
        title: messageTitle(message),
        line,
        status: 'failed',
        headline: 'dropped: the server did not ask this',
      }));
  });
}

/**
 * Returns steps for answers to requests that are not open. A client may use such an answer in place of the compared
 * one.
 */
export function straySteps({ findings }: ServerRun): Step[] {
  const strays = findings.filter(({ kind }) => kind === 'stray');
  if (strays.length === 0) return [];
  const headline = `${strays.length} that answer no open request`;
  const details = strays.slice(0, STRAYS_MAX).map(({ text }) => text);
  return [{ title: 'answers of the server', status: 'failed', headline, details }];
}

const STRAYS_MAX = 10;

/** Methods of notifications whose number differs between runs of the same server: logs, and what depends on time. */
const UNEVEN: ReadonlySet<string> = new Set([
  'notifications/message',
  'notifications/tasks/status',
  COUNTED,
  UNCERTAIN,
]);

/** Notifications that may come although the cassette does not have them. */
export interface AllowedNotifications {
  methods: readonly string[];
  /** Returns the option that allows these methods. */
  option: (methods: readonly string[]) => string;
}

/**
 * Returns what may come from a live server. Undefined: everything may, because a call that was written by hand says nothing
 * about the rest of a session, and a cassette of HTTP lacks what nobody listened to, which is heard over stdio.
 */
export function allowedWith(
  { header, events }: Cassette,
  given: AllowedNotifications & { isHttp: boolean },
): AllowedNotifications | undefined {
  if (header.transport === 'http' && !given.isHttp) return undefined;
  const isWhole = eventsToEntries(events).some(({ message }) => isRequest(message) && message.method === 'initialize');
  return header.recorder === undefined && !isWhole ? undefined : given;
}

/** What is done about notifications that the cassette does not have. */
export interface UnrecordedOptions {
  /** Absent: no notification fails, unless `strict`. */
  allowed?: AllowedNotifications | undefined;
  /** Whether logs, progress and other notifications of varying number fail, too. */
  strict: boolean;
}

/** Methods of notifications that the cassette does not have. */
interface UnrecordedMethods {
  failing: readonly string[];
  noted: readonly string[];
}

function unrecordedNotifications({ notifications }: ServerRun, options: UnrecordedOptions): UnrecordedMethods {
  const { allowed, strict } = options;
  const methods = notifications.flatMap(({ recorded, live }) =>
    recorded === undefined && isNotification(live.value) ? [live.value.method] : [],
  );
  const isFailing = (method: string) =>
    !allowed?.methods.includes(method) && (strict || (allowed !== undefined && !UNEVEN.has(method)));
  return { failing: methods.filter(isFailing), noted: methods.filter((method) => !isFailing(method)) };
}

/** Returns a failed step for live notifications that the cassette does not have. Clients pass over unknown ones. */
export function unrecordedSteps(driven: ServerRun, options: UnrecordedOptions): Step[] {
  const { failing } = unrecordedNotifications(driven, options);
  if (failing.length === 0) return [];
  const methods = [...new Set(failing)];
  const option = options.allowed?.option(methods);
  return [
    {
      title: 'notifications of the server',
      status: 'failed',
      headline: `${failing.length} that the cassette does not have: ${countedByName(failing)}`,
      changes: methods.map((method) => ({
        severity: 'compatible',
        path: '/method',
        reason: `new notification ${method}`,
      })),
      hasAllChanges: true,
      ...(option && { details: [`If the server is right, record the session again, or let it pass: ${option}`] }),
    },
  ];
}

/** Returns a note on live notifications that the cassette does not have, and that do not fail. */
export function unrecordedNotes(driven: ServerRun, options: UnrecordedOptions): string[] {
  const { noted } = unrecordedNotifications(driven, options);
  if (noted.length === 0) return [];
  return [`The cassette does not have ${formatCount(noted.length, 'notification')}: ${countedByName(noted)}.`];
}

/** Returns the names with their counts: `notifications/message (3), notifications/progress (1)`. */
function countedByName(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${name} (${count})`).join(', ');
}
