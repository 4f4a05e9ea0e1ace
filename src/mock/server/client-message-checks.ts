import type { LintRule } from '../../lint/lint-rule.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isObject, isRequest, isResponse, paramsOf } from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import {
  BATCH_REVISION,
  shortened,
  unreadableMessages,
  unreadableText,
} from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import type { ResultOrError } from '../../replay/match/protocol-generation.ts';
import { CheckedSession } from '../protocol-rules/checked-session.ts';
import { CLIENT_RULES, DECLARED_CAPABILITY_RULES } from '../protocol-rules/client-rules.ts';
import { requestParamsProblem } from '../protocol-rules/request-params-problem.ts';
import type { DefaultAnswers } from './server-fallback-answers.ts';

/**
 * Reports messages of a client that SDK servers reject or ignore, although the mock server answers them. Each reason is
 * reported once in a session. At the end of the session, reports the broken rules of the protocol.
 */
export class ClientMessageChecks {
  readonly #report: (finding: Finding) => void;
  readonly #rules: readonly LintRule[];
  readonly #reported = new Set<string>();
  readonly #session = new CheckedSession('client');
  /** Whether the client or the server named the only revision with batches. */
  #hasBatches = false;
  #isFaulted = false;

  constructor(
    report: (finding: Finding) => void,
    { hasStatedCapabilities = false }: Pick<DefaultAnswers, 'hasStatedCapabilities'> = {},
  ) {
    this.#report = report;
    this.#rules = hasStatedCapabilities ? [...CLIENT_RULES, ...DECLARED_CAPABILITY_RULES] : CLIENT_RULES;
  }

  /** Checks a message or batch of the client. `stream`: number of its HTTP exchange. */
  received(json: JsonText, stream?: number): void {
    for (const { value } of elementsOf(json)) if (isRequest(value)) this.#noteRevision(paramsOf(value));
    // Other JSON breaks the rule `message-kind`, or has an id that no request may have.
    const unreadable = unreadableMessages(json).find(({ why }) => why !== 'junk');
    if (unreadable && !(unreadable.why === 'batch' && this.#hasBatches))
      this.#once(unreadable.why, unreadableText(unreadable));
    for (const one of elementsOf(json)) this.#check(one, stream);
  }

  /** Notes a request or notification of the server. */
  sent(json: JsonText, stream?: number): void {
    this.#session.add('server', json, stream);
  }

  /** Notes an answer of the server. The id is a JSON token. */
  answered(id: string, reply: ResultOrError, stream?: number): void {
    if ('result' in reply) this.#noteRevision(reply.result);
    this.#session.addResponse('server', { id, response: reply, stream });
  }

  /**
   * Notes a fault. After a fault no broken rules are reported, because the fault may have changed or dropped messages
   * that the client relies on.
   */
  faulted(): void {
    this.#isFaulted = true;
  }

  /** Rules that the client has broken so far. */
  get brokenRules(): Finding[] {
    return this.#isFaulted ? [] : this.#session.findings(this.#rules);
  }

  /** Reports the broken rules at the end of the session. */
  end(): void {
    for (const finding of this.brokenRules) this.#report(finding);
    this.#session.clear();
  }

  #noteRevision({ protocolVersion }: Record<string, unknown>): void {
    this.#hasBatches ||= protocolVersion === BATCH_REVISION;
  }

  #check(json: JsonText, stream: number | undefined): void {
    const { value, text } = json;
    const isCall = isObject(value) && typeof value.method === 'string';
    const id = scalarKeyAt(json, ['id']);
    if (isCall && 'id' in value && !isValidId(value.id))
      this.#once('id', `The client sent a request whose id is no string or integer: ${shortened(text)}`);
    else if (!isResponse(value)) this.#session.add('client', json, stream);
    else if (id !== undefined) this.#session.addResponse('client', { id, response: value, stream });
    if (!isRequest(value)) return;
    const problem = requestParamsProblem(value);
    const subject = subjectOf(value.method, value.params);
    if (problem !== undefined) this.#once(`${subject} ${problem}`, `The client sent a bad ${subject}: ${problem}.`);
  }

  #once(reason: string, text: string): void {
    if (this.#reported.has(reason)) return;
    this.#reported.add(reason);
    this.#report({ kind: 'differs', text });
  }
}

/** Reports whether JSON-RPC and MCP allow an id for a request. */
function isValidId(id: unknown): boolean {
  return typeof id === 'string' || Number.isInteger(id);
}
