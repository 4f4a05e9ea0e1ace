import { isJunk, type MessageEntry, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { VOLATILE } from '../../match/default-ignore-pointers.ts';
import { exactValue } from '../../match/exact-json-value.ts';
import { type Ignore, type Normalize, numberedRules, remover } from '../../match/ignore-rules.ts';
import { type Difference, describeDifference, differences } from '../../match/json-difference.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, type Params } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { placeholderOf, placeholdersIn } from '../../redact/replace/placeholder-format.ts';
import {
  ambiguousSecrets,
  firstUseText,
  type NamedSecrets,
  placeholdersFirstSentBy,
} from '../match/ambiguous-secrets.ts';
import { bindSecrets, conflictText, type SecretBindings, secretDifferences } from '../match/secret-bindings.ts';
import { badAnswerProblem, badAnswersInRetry } from './bad-answers.ts';
import { maySendBatches, shortened, unreadableMessages, unreadableText } from './batch-or-missing-jsonrpc.ts';
import { type Finding, titleOf } from './finding.ts';
import { ReusedRequestIds } from './reused-request-ids.ts';

export interface ClientDifferencesOptions {
  /** The cassette's name, for messages. */
  file: string;
  /** The entries of the cassette. */
  entries: readonly SessionEntry[];
  /** Ignore rules of the session, in addition to the volatile values. */
  ignore: readonly Ignore[];
  /** The cassette was written by hand: members that its requests omit may have any value. */
  isHandWritten: boolean;
  /** Values of the recorded placeholders. */
  bindings: SecretBindings;
  /** Whether messages of several clients come, which cannot be told apart. */
  hasSeveralClients?: boolean;
  report(finding: Finding): void;
}

/**
 * Ignore rules for values of a client's responses that differ in each run: `_meta`, ids and times of tasks, paths of
 * roots.
 */
const VOLATILE_IN_ANSWERS: readonly Ignore[] = [...VOLATILE, '/result/_meta', withoutPathsOfRoots];

/** Params of `initialize` that affect the server's behavior (lifecycle, "Initialization"). `clientInfo` does not. */
const COMPARED_IN_INITIALIZE = ['protocolVersion', 'capabilities'];
/** Members of `_meta` with the same value in every request (2026-07-28, "_meta"). */
const COMPARED_IN_META = [META.protocolVersion, META.clientCapabilities];

/** Replacement for a request without compared members, so that differences have full paths. */
const NO_META: Params = { _meta: {} };

const DIFFERENCES_MAX = 5;

/**
 * Compares a live client's requests and responses with the recorded ones, and reports differences. Only members that
 * the matcher ignores are compared here.
 */
export class ClientDifferences {
  readonly #options: ClientDifferencesOptions;
  readonly #without: Normalize;
  /** Like `#without`, with different secrets kept distinct. */
  readonly #numbered: Normalize;
  /** Reported differences of requests. A client of 2026-07-28 repeats its capabilities in each request. */
  readonly #reported = new Set<string>();
  /** Names of secrets with several values, by the placeholders. A finding has named none of them so far. */
  readonly #ambiguous: Map<string, NamedSecrets>;
  /** Placeholders that a client knows from an answer only. */
  readonly #givable: ReadonlySet<string>;
  /** Absent: equal ids may be those of several clients. */
  readonly ids: ReusedRequestIds | undefined;

  constructor(options: ClientDifferencesOptions) {
    this.#options = options;
    const rules = [...options.ignore, ...VOLATILE_IN_ANSWERS];
    this.#without = remover(rules);
    this.#numbered = remover(numberedRules(rules));
    this.#ambiguous = ambiguousSecrets(options.entries);
    this.#givable = placeholdersFirstSentBy('server', options.entries);
    if (!options.hasSeveralClients) this.ids = new ReusedRequestIds(options);
  }

  /** Notes a message to the client: its id, and its placeholders, which the client has to send from now on. */
  sent(json: JsonText): void {
    this.ids?.sent(json);
    if (this.#givable.size === 0) return;
    const placeholders = placeholdersIn(json.text).map(({ name, n }) => placeholderOf(name, n));
    for (const one of placeholders) if (this.#givable.has(one)) this.#options.bindings.give(one);
  }

  /** Compares the revision, the capabilities, and whether the request has a progress token. */
  request(recorded: MessageEntry, live: JsonText): void {
    this.#reportFirstUse();
    const { message } = recorded;
    const said = live.value;
    if (!isRequest(message) || !isRequest(said)) return;
    for (const { method, problem } of badAnswersInRetry(this.#options.entries, recorded, said))
      this.#reportBad(recorded, method, problem);
    const before = comparedParams(message.method, message.params);
    const now = comparedParams(said.method, said.params);
    if (before === undefined && now === undefined) return;
    const found = differences(
      this.#without({ params: before ?? NO_META }),
      this.#without({ params: now ?? NO_META }),
    ).filter(({ recorded: written }) => written !== undefined || !this.#options.isHandWritten);
    const fresh = found.filter((one) => !this.#reported.has(describeDifference(one)));
    for (const one of fresh) this.#reported.add(describeDifference(one));
    this.#report(recorded, `The client sent ${subjectOf(message.method, message.params)} differently`, fresh);
  }

  /** Reports, once for a name, that a live value was taken for one of several recorded ones because it came first. */
  #reportFirstUse(): void {
    if (this.#ambiguous.size === 0) return;
    const { file, bindings, report } = this.#options;
    const used = bindings.boundPlaceholders().map((placeholder) => this.#ambiguous.get(placeholder));
    for (const secrets of new Set(used)) {
      if (secrets === undefined) continue;
      for (const placeholder of secrets.placeholders) this.#ambiguous.delete(placeholder);
      report({ kind: 'guessed', text: firstUseText(file, secrets) });
    }
  }

  /** Compares a response to `request` with the recorded response. An unrecorded response is reported. */
  answer(request: SessionEntry, recorded: SessionEntry | undefined, live: JsonText): void {
    const { file, report } = this.#options;
    const subject = titleOf(request.message);
    if (recorded?.json === undefined) {
      const text = `${file}:${request.line} The client answered ${subject}, which it does not in the cassette.`;
      return report({ kind: 'differs', text, entry: request });
    }
    const outcomes = [outcomeOf(recorded.json), outcomeOf(live)] as const;
    const [before, now] = outcomes.map((one) => this.#without(one));
    const found = differences(before, now);
    const what = `The client answered ${subject} differently`;
    const problem = isRequest(request.message)
      ? badAnswerProblem(request.message, resultOf(recorded.json), resultOf(live))
      : undefined;
    if (found.length > 0) return this.#report(recorded, what, found, { expected: before, actual: now }, problem);
    if (problem !== undefined) return this.#reportBad(recorded, subject, problem);
    const [expected, actual] = outcomes.map((one) => this.#numbered(one));
    const { bindings } = this.#options;
    const other = secretDifferences(expected, actual, bindings);
    if (other === undefined) return bindSecrets(expected, actual, bindings);
    const values = { expected: other.recorded, actual: other.live };
    this.#report(recorded, `${what}. ${conflictText(other.conflict)} It differs at`, other.differences, values);
  }

  /** Reports a live message in a form that servers do not read, unless the recorded client sent batches, too. */
  unreadable(json: JsonText): void {
    const { file, entries, report } = this.#options;
    // `junk` reports other JSON.
    const found = unreadableMessages(json).find(({ why }) => why !== 'junk');
    if (found === undefined || (found.why === 'batch' && maySendBatches('client', entries))) return;
    report({ kind: 'differs', text: unreadableText(found, `, and ${file} does not have`) });
  }

  /** Reports a live line that is not a JSON-RPC message, unless the recorded client also sent such lines. */
  junk(said: string | Uint8Array): void {
    const { file, entries, report } = this.#options;
    const text = said.toString().trim();
    if (text === '' || entries.some((entry) => entry.from === 'client' && isJunk(entry))) return;
    report({
      kind: 'unrecorded',
      text: `The client sent what is no message, which ${file} does not have: ${shortened(text)}`,
    });
  }

  #report(
    entry: SessionEntry,
    what: string,
    found: readonly Difference[],
    values: Pick<Finding, 'expected' | 'actual'> = {},
    problem?: string,
  ) {
    if (found.length === 0) return;
    const shown = found.slice(0, DIFFERENCES_MAX).map(describeDifference).join(', ');
    const more = found.length > DIFFERENCES_MAX ? ` and ${found.length - DIFFERENCES_MAX} more` : '';
    const bad = problem === undefined ? {} : { breaksProtocol: true };
    const also = problem === undefined ? '' : `. It is a bad result, too: ${problem}`;
    const text = `${this.#options.file}:${entry.line} ${what}: ${shown}${more}${also}`;
    const differsAt = found.slice(0, DIFFERENCES_MAX).map(({ path }) => path);
    this.#options.report({ kind: 'differs', text, entry, differsAt, ...values, ...bad });
  }

  /** Reports an answer that the specification forbids. Ignore rules do not hide it. */
  #reportBad(entry: SessionEntry, subject: string, problem: string): void {
    const text = `${this.#options.file}:${entry.line} The client has answered ${subject} with a bad result: ${problem}.`;
    this.#options.report({ kind: 'differs', text, entry, breaksProtocol: true });
  }
}

/** Returns the compared params. Undefined: the params have no compared member. */
function comparedParams(method: string, params: unknown): Params | undefined {
  if (!isObject(params)) return undefined;
  if (method === 'initialize') return pick(params, COMPARED_IN_INITIALIZE);
  const meta = metaOf(params);
  const compared = pick(meta, COMPARED_IN_META) ?? {};
  // The client chooses the token's value. Its presence matters: without a token the server sends no progress.
  if (meta.progressToken !== undefined) compared.progressToken = 'present';
  return Object.keys(compared).length > 0 ? { _meta: compared } : undefined;
}

function pick(params: Params, names: readonly string[]): Params | undefined {
  const some = Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
  return Object.keys(some).length > 0 ? some : undefined;
}

/** Returns a response without `jsonrpc` and `id`. */
function outcomeOf(json: JsonText): unknown {
  const message = exactValue(json);
  if (!isObject(message)) return json.text;
  const { jsonrpc: _, id: __, ...outcome } = message;
  return outcome;
}

function resultOf({ value }: JsonText): unknown {
  return isObject(value) ? value.result : undefined;
}

/** Reduces the URIs of file roots to the last segment of their paths. */
function withoutPathsOfRoots(message: unknown): unknown {
  const roots = isObject(message) && isObject(message.result) ? message.result.roots : undefined;
  if (!isObject(message) || !Array.isArray(roots)) return message;
  return { ...message, result: { ...(message.result as object), roots: roots.map(withoutPath) } };
}

function withoutPath(root: unknown): unknown {
  if (!isObject(root) || typeof root.uri !== 'string' || !root.uri.startsWith('file:')) return root;
  return { ...root, uri: `file:…/${root.uri.replace(/\/+$/, '').split('/').at(-1)}` };
}
