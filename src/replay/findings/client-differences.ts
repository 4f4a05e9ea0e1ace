import type { MessageEntry, SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { exactValue } from '../../match/exact-numbers.ts';
import { type Ignore, type Normalize, remover } from '../../match/ignore-rules.ts';
import { type Difference, describeDifference, differences } from '../../match/json-difference.ts';
import { VOLATILE } from '../../match/volatile-values.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { isNotification, isObject, isRequest, isResponse, type Params } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { subjectOf } from '../../protocol/methods.ts';
import type { Finding } from './finding.ts';

export interface ClientDifferencesOptions {
  /** The cassette's name, for messages. */
  file: string;
  /** The entries of the cassette. */
  entries: readonly SessionEntry[];
  /** What does not count, beside what is always volatile. */
  ignore: readonly Ignore[];
  /** No program recorded it: what a person left out of a request may be anything. */
  isHandWritten: boolean;
  report(finding: Finding): void;
}

/**
 * What of a client's answers differs between any two runs: `_meta`, the handles and times of tasks, and where on this
 * machine a root lies.
 */
const VOLATILE_IN_ANSWERS: readonly Ignore[] = [...VOLATILE, '/result/_meta', withoutPathsOfRoots];

/** The params of `initialize` that change what a server does (lifecycle, "Initialization"). `clientInfo` does not. */
const COMPARED_IN_INITIALIZE = ['protocolVersion', 'capabilities'];
/** The same where each request says it of itself (2026-07-28, "_meta"). */
const COMPARED_IN_META = [META.protocolVersion, META.clientCapabilities];

/** A request with none of what is compared, so that a difference is named where it is. */
const NO_META: Params = { _meta: {} };

const DIFFERENCES_MAX = 5;

/**
 * Compares what a live client says with what the recorded one said in the same place, and reports the differences. Which
 * recorded request a live one stands for is the matcher's to decide: this looks at the parts that matching passes over.
 */
export class ClientDifferences {
  readonly #options: ClientDifferencesOptions;
  readonly #without: Normalize;
  /** Differences of requests that were reported: a client says its capabilities with each of them. */
  readonly #reported = new Set<string>();

  constructor(options: ClientDifferencesOptions) {
    this.#options = options;
    this.#without = remover([...options.ignore, ...VOLATILE_IN_ANSWERS]);
  }

  /** Compares the revision, the capabilities, and whether progress is asked for. */
  request(recorded: MessageEntry, live: JsonText): void {
    const { message } = recorded;
    const said = live.value;
    if (!isRequest(message) || !isRequest(said)) return;
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

  /** Compares an answer to `request` with the recorded one; undefined: there is none in the cassette. */
  answer(request: SessionEntry, recorded: SessionEntry | undefined, live: JsonText): void {
    const { file, report } = this.#options;
    const subject = titleOf(request);
    if (recorded?.json === undefined) {
      const text = `${file}:${request.line} The client answered ${subject}, which it does not in the cassette.`;
      return report({ kind: 'differs', text, entry: request });
    }
    const [before, now] = [outcomeOf(recorded.json), outcomeOf(live)].map((one) => this.#without(one));
    const found = differences(before, now);
    this.#report(recorded, `The client answered ${subject} differently`, found, {
      expected: before,
      actual: now,
    });
  }

  /** What is no message, such as a line of text: reported, unless the recorded client said such things too. */
  junk(said: string | Uint8Array): void {
    const { file, entries, report } = this.#options;
    const text = said.toString().trim();
    if (text === '' || entries.some(isJunkOfClient)) return;
    const shown = JSON.stringify(text.length > JUNK_SHOWN ? `${text.slice(0, JUNK_SHOWN)}…` : text);
    report({
      kind: 'unrecorded',
      text: `The client sent what is no message, which ${file} does not have: ${shown}`,
    });
  }

  #report(
    entry: SessionEntry,
    what: string,
    found: readonly Difference[],
    drawn: Pick<Finding, 'expected' | 'actual'> = {},
  ) {
    if (found.length === 0) return;
    const shown = found.slice(0, DIFFERENCES_MAX).map(describeDifference).join(', ');
    const more = found.length > DIFFERENCES_MAX ? ` and ${found.length - DIFFERENCES_MAX} more` : '';
    const text = `${this.#options.file}:${entry.line} ${what}: ${shown}${more}`;
    this.#options.report({ kind: 'differs', text, entry, ...drawn });
  }
}

const JUNK_SHOWN = 100;

function isJunkOfClient({ from, frame, message }: SessionEntry): boolean {
  if (from !== 'client') return false;
  if (frame.kind === 'line') return true;
  return message !== undefined && !isRequest(message) && !isNotification(message) && !isResponse(message);
}

/** The params that are compared though they identify no request; undefined: there are none. */
function comparedParams(method: string, params: unknown): Params | undefined {
  if (!isObject(params)) return undefined;
  if (method === 'initialize') return chosen(params, COMPARED_IN_INITIALIZE);
  const meta = metaOf(params);
  const compared = chosen(meta, COMPARED_IN_META) ?? {};
  // Its value is the client's own; without one there is no progress.
  if (meta.progressToken !== undefined) compared.progressToken = 'present';
  return Object.keys(compared).length > 0 ? { _meta: compared } : undefined;
}

function chosen(params: Params, names: readonly string[]): Params | undefined {
  const some = Object.fromEntries(names.flatMap((name) => (params[name] === undefined ? [] : [[name, params[name]]])));
  return Object.keys(some).length > 0 ? some : undefined;
}

/** What an answer says, without what makes it a message. */
function outcomeOf(json: JsonText): unknown {
  const message = exactValue(json);
  if (!isObject(message)) return json.text;
  const { jsonrpc: _, id: __, ...outcome } = message;
  return outcome;
}

/** A root is compared by the last step of its path where it is a file of this machine. */
function withoutPathsOfRoots(message: unknown): unknown {
  const roots = isObject(message) && isObject(message.result) ? message.result.roots : undefined;
  if (!isObject(message) || !Array.isArray(roots)) return message;
  return { ...message, result: { ...(message.result as object), roots: roots.map(withoutPath) } };
}

function withoutPath(root: unknown): unknown {
  if (!isObject(root) || typeof root.uri !== 'string' || !root.uri.startsWith('file:')) return root;
  return { ...root, uri: `file:…/${root.uri.replace(/\/+$/, '').split('/').at(-1)}` };
}

function titleOf({ message }: SessionEntry): string {
  return isRequest(message) ? subjectOf(message.method, message.params) : 'a request';
}
