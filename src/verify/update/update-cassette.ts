import { readFileSync } from 'node:fs';
import type { Cassette } from '../../cassette/cassette.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { replaceFile } from '../../cassette/write/atomic-write.ts';
import { differenceWords } from '../../contract/describe-message-difference.ts';
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
}

/**
 * Rewrites differing server messages in a cassette. Returns the number of changed events. Only lines of these messages
 * change: comments, other edits and ignored values are kept. The file is replaced atomically.
 * @throws McpRecordError CASSETTE_NOT_UPDATED if an answer is missing, has no place in the cassette, or is an error in
 * place of a success
 */
export function updateCassette({
  cassette,
  driven,
  ignore = [],
  redact = same,
  rules = [],
  compared = { redact, advise: () => '' },
}: UpdateOptions): number {
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

  const other = answers
    .filter(({ request }) => !hasOptionalAnswer(request, driven))
    .filter(({ recorded, live }) => isOther(recorded, live, redaction));
  const failing = other.filter(({ recorded, live }) => isLostSuccess(recorded, live));
  if (failing.length > 0) throw lostSuccesses(file, failing);
  const said = [
    ...other.flatMap((answer) => pagesOf(answer, file)),
    ...driven.notifications.filter(({ recorded, live }) => {
      const rules = withOwnRules(volatile, recorded);
      return isOther(valueWithoutIgnored(recorded?.json, rules), valueWithoutIgnored(live, rules), redaction);
    }),
  ];
  const written = redactAsRecorded(cassette, redact, bindings);
  // A server in the test's process is played the messages of an HTTP session alone, whose positions are others.
  const events = new Map(cassette.events.map(({ line }, event) => [line, event]));
  const messages = new Map<number, JsonText>();
  for (const { recorded, live } of said) {
    if (recorded?.json === undefined || isProgress(recorded)) continue;
    if (recorded.frame.kind === 'message' && recorded.frame.json !== recorded.json) {
      throw notUpdated(`${file}:${recorded.line}`, 'it is a part of a batch');
    }
    const kept = withOwnRules([...VOLATILE_POINTERS, ...ignore], recorded);
    messages.set(
      events.get(recorded.line) ?? recorded.event,
      written(new JsonText(keepIgnoredValues(recorded.json, live, kept))),
    );
  }
  if (messages.size > 0) {
    const before = readFileSync(file, 'utf8');
    const text = rewriteEvents(cassette, before, messages);
    replace(file, rules.length === 0 ? text : listRedactRules({ text, file }, before, rules));
  }
  return messages.size;
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
