import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import type { Frame } from '../../channel/frame.ts';
import { formatCount } from '../../kernel/format-count.ts';
import { isRequest, isResponse } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';

/**
 * A deviation to report to the owner of a session. `Expectations` defines which findings fail the session. `miss`: a
 * request missing in the cassette. `differs`: a client message that differs from the recorded one. `unrecorded`: a live
 * notification or cancellation missing in the cassette. `unanswered`: a server request that the client never answered.
 * `unfinished`: a handler that had not answered at the end. `stray`: a live response without an open request.
 * `missing`: an awaited message that did not arrive in time. `late`: a cancellation overtaken by the response.
 * `unsent`: recorded frames that could not be sent. `unused`: recorded requests and notifications that never arrived.
 * `unfired`: a fault that never fired. `uncalled`: a handler of a test that no request reached. `unretried`: a request
 * that a handler failed, and that the client did not make again. `leaked`: a process left running. `ended`: a request
 * to an ended endpoint. `thrown`: a fault that threw an error. `unplayable`: a cassette entry that no session can play.
 * `unanswerable`: a live request that the recorded server left unanswered. `default`: a request missing in the cassette
 * that was answered with an inferred response. `refused`: a request that the mock authorization server refused.
 * `unauthorized`: a client that was refused with 401 or 403, and never came back. `guessed`: a live secret that was
 * taken for one of several recorded ones, because it came first. `hollow`: calls of which ignore rules leave nothing to
 * compare. `invalid`: a request with arguments that the handler's definition forbids. `unconnected`: a session to
 * record, whose client sent nothing. `unawaited`: a wait of a journal that the test did not await.
 */
export interface Finding {
  kind:
    | 'miss'
    | 'invalid'
    | 'differs'
    | 'unrecorded'
    | 'unanswered'
    | 'unfinished'
    | 'stray'
    | 'missing'
    | 'late'
    | 'unsent'
    | 'unused'
    | 'unfired'
    | 'uncalled'
    | 'unretried'
    | 'leaked'
    | 'ended'
    | 'thrown'
    | 'unplayable'
    | 'unanswerable'
    | 'unconnected'
    | 'guessed'
    | 'hollow'
    | 'refused'
    | 'unauthorized'
    | 'unawaited'
    | 'default';
  text: string;
  /** The related cassette entry, if any. */
  entry?: SessionEntry;
  /** The entries of an `unused` or `unsent` finding. */
  entries?: readonly SessionEntry[];
  /** The recorded value of a `miss` or `differs` finding. Test runners show the difference from `actual`. */
  expected?: unknown;
  /** The live value. */
  actual?: unknown;
  /** Pointers to the values of a `differs` finding, as ignore rules for them. */
  differsAt?: readonly string[];
  /**
   * Whether the client broke the specification, or a schema in a message of the server. Neither a new recording nor an
   * ignore rule lets it pass.
   */
  breaksProtocol?: boolean;
  /** Whether the client got another answer to its call because of it. It may then explain a failed assertion. */
  changesAnswer?: boolean;
  /**
   * Rule for a missed request's value that may vary, as a cassette has it. The text suggests it as `--ignore POINTER`,
   * or as `--ignore-pattern`.
   */
  varies?: string;
  /** Whether every recorded request that matches a missed one was used before. */
  isUsedUp?: boolean;
  /** Whether a missed request differs from a close one in a redacted value, which rules of redaction may explain. */
  mayLackRules?: boolean;
}

const ONCE: ReadonlySet<Finding['kind']> = new Set(['default', 'guessed', 'hollow']);

/** Returns a function that passes findings to `report`, each `default`, `guessed` and `hollow` finding only once. */
export function reportDefaultsOnce(report: (finding: Finding) => void): (finding: Finding) => void {
  const reported = new Set<string>();
  return (finding) => {
    if (ONCE.has(finding.kind) && reported.has(finding.text)) return;
    if (ONCE.has(finding.kind)) reported.add(finding.text);
    report(finding);
  };
}

export function missingFinding(waiting: SessionEntry, missing: SessionEntry, file: string): Finding {
  const waited = `${titleOf(waiting.message)} of line ${waiting.line} went on without it`;
  const text = `${file}:${missing.line} ${titleOf(missing.message)} did not come in time: ${waited}.`;
  return { kind: 'missing', text, entry: missing };
}

export function unrecordedFinding(peer: Frame['from'], method: string, file: string): Finding {
  return { kind: 'unrecorded', text: `The ${peer} sent ${method}, which ${file} does not have here.` };
}

export function uncancelledFinding(request: SessionEntry, file: string): Finding {
  const text = `The client cancelled ${titleOf(request.message)} (${file}:${request.line}), which it does not in the cassette.`;
  return { kind: 'unrecorded', text, entry: request };
}

export function unansweredFinding(request: SessionEntry, file: string): Finding {
  const text = `${file}:${request.line} The client never answered ${titleOf(request.message)}.`;
  return { kind: 'unanswered', text, entry: request };
}

export function lateFinding(id: string): Finding {
  return { kind: 'late', text: `The cancel of request ${id} was not sent: the live answer came first.` };
}

export function unsentFinding(entries: readonly SessionEntry[], file: string): Finding {
  return {
    kind: 'unsent',
    text: `${formatCount(entries.length, 'recorded message')} could not be sent:${list(entries, file)}`,
    entries,
  };
}

export function unusedFinding(entries: readonly SessionEntry[], file: string): Finding {
  const what = entries.every(({ message }) => isRequest(message)) ? 'recorded request' : 'recorded message';
  const text = `${formatCount(entries.length, what)} never came:${list(entries, file)}`;
  return { kind: 'unused', text, entries };
}

const LISTED_MAX = 5;

function list(entries: readonly SessionEntry[], file: string): string {
  const shown = entries.slice(0, LISTED_MAX).map(({ line, message }) => `\n    ${file}:${line} ${titleOf(message)}`);
  const more = entries.length - LISTED_MAX;
  return shown.join('') + (more > 0 ? `\n    and ${more} more` : '');
}

/** Returns a message's method and subject, as shown in finding texts. */
export function titleOf(message: SessionEntry['message']): string {
  if (message === undefined) return 'the end';
  return isResponse(message) ? 'response' : subjectOf(message.method, message.params);
}
