import { readFileSync } from 'node:fs';
import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { replaceFile } from '../../cassette/write/atomic-write.ts';
import { differenceWords } from '../../contract/describe-message-difference.ts';
import { messageTitle } from '../../contract/message-title.ts';
import { valueWithoutIgnored } from '../../contract/value-without-ignored.ts';
import { type McpRecordError, messageOf } from '../../kernel/errors.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { VOLATILE, VOLATILE_POINTERS } from '../../match/default-ignore-pointers.ts';
import type { Ignore } from '../../match/ignore-rules.ts';
import { JsonText } from '../../protocol/json-text.ts';
import { listRedactRules } from '../../record/redact-file/write-applied-rule-names.ts';
import { SecretBindings } from '../../replay/match/secret-bindings.ts';
import { type LiveRedaction, withRecordedPlaceholders } from '../compare/equal-placeholders.ts';
import { type Answer, gatherAnswers, hasPagesAsRecorded, withOwnRules } from '../compare/gather-answers.ts';
import { LiveIds } from '../compare/inconsistent-server-ids.ts';
import {
  type KnownId,
  replacedBefore,
  replacedIn,
  replacedValues,
  withRecordedValues,
} from '../compare/server-made-values.ts';
import { brokenBy, hasOptionalAnswer } from '../compare/session-end-steps.ts';
import type { ServerRun } from '../run/run-recorded-client.ts';
import { notUpdated } from './cassette-not-updated-error.ts';
import { keepIgnoredValues } from './keep-ignored-values.ts';
import { isLostSuccess } from './lost-success.ts';
import { bindGivenSecrets, redactAsRecorded } from './recorded-placeholders.ts';
import { rewriteEvents } from './rewrite-events.ts';

export interface UpdateOptions {
  cassette: Cassette;
  driven: ServerRun;
  ignore?: readonly Ignore[];
  /** Redacts secrets in written messages. Absent: nothing is redacted. */
  redact?: (json: JsonText) => JsonText;
  /** Names of the user's redaction rules, which the updated cassette lists. */
  rules?: readonly string[] | undefined;
  /**
   * Redaction of the comparison that found the differences, so that no other answers are rewritten. Absent: that of
   * written messages.
   */
  compared?: LiveRedaction;
  /** Lines of the failed steps to take over. Absent: all messages that differ. */
  only?: ReadonlySet<number>;
  /** Whether nothing is written unless all lines of `only` can be. */
  areAll?: boolean;
}

/** What an update has written. */
export interface CassetteUpdate {
  /** Number of changed events. */
  count: number;
  /** Lines of the requests and notifications whose answers or contents were written. */
  lines: ReadonlySet<number>;
  /** Notes about ids that keep an answer from being written. */
  notes: readonly string[];
}

/**
 * Rewrites differing server messages in a cassette. Only lines of these messages change: comments, other edits, ignored
 * values, and the ids that later requests send are kept. A message that differs in such an id without a rule is left, since
 * the same server would not pass. The file is replaced atomically.
 * @throws McpRecordError CASSETTE_NOT_UPDATED if an answer is missing, has no place in the cassette, or is an error in
 * place of a success
 */
export function updateCassette(options: UpdateOptions): CassetteUpdate {
  const { cassette, driven, ignore = [], redact = same, rules = [], only, areAll = false } = options;
  const { compared = { redact, advise: () => '' } } = options;
  const volatile = [...VOLATILE, ...ignore];
  const bindings = new SecretBindings();
  const redaction: LiveRedaction = { ...compared, bindings };
  bindGivenSecrets(cassette, { played: driven.plan.entries, redact, bindings });
  const { answers, unanswered } = gatherAnswers(driven, volatile);
  const { file } = cassette;
  const broken = brokenBy(driven);
  const lost = unanswered.find((request) => !hasOptionalAnswer(request, driven));
  if (broken !== undefined) throw notUpdated(file, `the session broke off: ${broken}`);
  if (lost !== undefined) throw notUpdated(`${file}:${lost.line}`, 'this request was not answered');
  const refused = driven.exchanges.find(({ refusal }) => refusal !== undefined);
  if (refused !== undefined) {
    throw notUpdated(`${file}:${refused.request.line}`, `this request was not answered: ${refused.refusal!.words}`);
  }

  const replaced = replacedValues(driven);
  const other = answers
    .filter(({ request }) => !hasOptionalAnswer(request, driven))
    .filter(({ request, recorded, live }) =>
      isOther(recorded, withRecordedValues(recorded, live, replacedBefore(request, replaced)), redaction),
    );
  const failing = other.filter(({ recorded, live }) => isLostSuccess(recorded, live));
  if (failing.length > 0) throw lostSuccesses(file, failing);
  const said = [
    ...other
      .filter(({ request }) => only?.has(request.line) !== false)
      .flatMap((answer) =>
        pagesOf(answer, file).map((page): SaidAnew => ({ ...page, line: answer.request.line, of: page.request })),
      ),
    ...driven.notifications
      .flatMap((one): SaidAnew[] => (one.recorded ? [{ ...one, line: one.recorded.line, of: one.recorded }] : []))
      .filter(({ line }) => only?.has(line) !== false),
  ];
  const ids = new LiveIds(driven, ignore, compared).counterparts();
  const written = redactAsRecorded(cassette, redact, bindings);
  // A server in the test's process is played the messages of an HTTP session alone, whose positions are others.
  const events = new Map(cassette.events.map(({ line }, event) => [line, event]));
  const messages = new Map<number, JsonText>();
  const lines = new Set<number>();
  for (const { recorded, live, line, of } of said) {
    if (recorded?.json === undefined || isProgress(recorded)) continue;
    const earlier = replacedBefore(of, replaced);
    const rules = withOwnRules(volatile, of, recorded);
    const plain = (json: JsonText) => valueWithoutIgnored(json, rules);
    const before = plain(recorded.json);
    if (!isOther(before, withRecordedValues(before, plain(live), earlier), redaction)) continue;
    if (recorded.frame.kind === 'message' && recorded.frame.json !== recorded.json) {
      throw notUpdated(`${file}:${recorded.line}`, 'it is a part of a batch');
    }
    const kept = new JsonText(
      keepIgnoredValues(recorded.json, live, {
        ignore: [...VOLATILE_POINTERS, ...withOwnRules(ignore, of, recorded)],
        ids: [...replaced.filter(({ request }) => request.index <= of.index), ...ids],
      }),
    );
    const now = plain(kept);
    // An id without a rule is new in the next run, too.
    if (differenceWords(now, withRecordedValues(now, plain(live), earlier)) !== '') continue;
    messages.set(events.get(recorded.line) ?? recorded.event, written(kept));
    lines.add(line);
  }
  const isPart = areAll && [...(only ?? [])].some((line) => !lines.has(line));
  const notes = [...new Set(other.flatMap((answer) => newIdNotes(answer, driven, file)))];
  if (messages.size === 0 || isPart) return { count: 0, lines: new Set(), notes };
  const before = readFileSync(file, 'utf8');
  const text = rewriteEvents(cassette, before, messages);
  replace(file, rules.length === 0 ? text : listRedactRules({ text, file }, before, rules));
  return { count: messages.size, lines, notes };
}

/** A message of the live server with its recorded counterpart. */
interface SaidAnew {
  recorded: SessionEntry | undefined;
  live: JsonText;
  /** Line of the step that compares it. */
  line: number;
  /** The request of an answer, or the recorded notification. */
  of: SessionEntry;
}

/** Returns a note for each id of an answer that a later request sends, and that no rule leaves out of the answer. */
function newIdNotes({ exchanges, request, recorded, live }: Answer, driven: ServerRun, file: string): string[] {
  const isCompared = (id: KnownId) => differenceWords(live, withRecordedValues(recorded, live, [id])) !== '';
  const place = `${messageTitle(request.message)} (${file}:${request.line})`;
  return replacedIn(exchanges, driven)
    .filter(isCompared)
    .map(
      ({ recorded: id, live: now }) =>
        `"${now}" in the answer to ${place} stands for "${id}", which a later request sends: an update keeps that. Ignore the id in this answer, as --propose-ignores prints it.`,
    );
}

function same(json: JsonText): JsonText {
  return json;
}

function isOther(recorded: unknown, live: unknown, redaction: LiveRedaction): boolean {
  const aligned = withRecordedPlaceholders(recorded, live, redaction);
  return recorded !== undefined && differenceWords(recorded, aligned) !== '';
}

/** Reports whether an entry is progress, whose content is not compared. */
function isProgress({ message }: SessionEntry): boolean {
  return message !== undefined && 'method' in message && message.method === 'notifications/progress';
}

/** Pairs the live pages of a list with recorded pages. */
function pagesOf(answer: Answer, file: string): Answer['exchanges'] {
  const { exchanges, pagesLeft, request } = answer;
  if (hasPagesAsRecorded(answer)) return exchanges;
  const pages = new Set(exchanges.map(({ request: page }) => page)).size;
  throw notUpdated(
    `${file}:${request.line}`,
    `the list has ${formatCount(exchanges.length, 'page')} now, and ${pages + pagesLeft} in the cassette`,
  );
}

/** Returns the error for answers that are errors now: a contract of errors guards nothing. */
function lostSuccesses(file: string, failing: readonly Answer[]): McpRecordError {
  const lines = failing.map(({ request }) => request.line);
  const [requests, they] =
    lines.length === 1
      ? ['a request that succeeded fails', 'it']
      : [`${lines.length} requests that succeeded fail`, 'they'];
  return notUpdated(
    `${file}:${lines[0]}`,
    `${requests} now (line ${lines.join(', ')}), and ${they} would guard nothing`,
    'If the server is right, remove the cassette and record the session again, with a client that the server answers. If the client is meant to get the error, write it into the cassette by hand.',
  );
}

function replace(file: string, text: string): void {
  try {
    replaceFile(file, text);
  } catch (error) {
    throw notUpdated(file, `the file cannot be replaced: ${messageOf(error)}`);
  }
}
