import type { LintRule } from '../../lint/lint-rule.ts';
import { StructuredContentCheck } from '../../lint/structured-content-check.ts';
import { isDeeplyNested } from '../../match/nesting-depth.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import {
  isNotification,
  isObject,
  isRequest,
  isResponse,
  type Notification,
  type Params,
  type Request,
  type Response,
} from '../../protocol/message.ts';
import { subjectOf } from '../../protocol/method-table.ts';
import { isModern, NEWEST_LEGACY, REVISIONS, type Revision } from '../../protocol/revisions.ts';
import { scalarKeyAt } from '../../protocol/scalar-key.ts';
import { type DefinedCheck, type MessageChecks, messageChecks } from '../../protocol/schema/message-checks.ts';
import { BATCH_REVISION, FORMS, unreadableMessages } from '../../replay/findings/batch-or-missing-jsonrpc.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { CheckedSession } from '../protocol-rules/checked-session.ts';
import { serverRequestProblem } from '../protocol-rules/server-request-problem.ts';
import { SERVER_RULES } from '../protocol-rules/server-rules.ts';

/** Revision whose schema is missing in the package. */
const NO_SCHEMA: Revision = '2024-11-05';
/** First revision whose schema is in the package. This schema accepts every valid answer of 2024-11-05. */
const OLDEST_SCHEMA: Revision = '2025-03-26';

/**
 * Checks a server's messages: their form, their values by the official JSON Schema of the revision, and the session by
 * the rules of the protocol. Clients of the official SDKs reject or ignore many of the reported messages. Import this
 * module late, because it loads schemas and a validator.
 */
export class ServerMessageChecks {
  readonly #report: (finding: Finding) => void;
  /** Requests without an answer, by id as JSON token. */
  readonly #asked = new Map<string, Request>();
  readonly #reported = new Set<string>();
  readonly #rules: readonly LintRule[];
  readonly #session = new CheckedSession('server');
  readonly #structured = new StructuredContentCheck();
  /** The offered revision until the server has chosen one. */
  #revision: string;

  /** `isOrdered`: whether messages come in the order in which they were sent. Streams of HTTP may overtake each other. */
  constructor(
    revision: string,
    report: (finding: Finding) => void,
    { isOrdered = true }: { isOrdered?: boolean } = {},
  ) {
    this.#revision = revision;
    this.#report = report;
    this.#rules = isOrdered ? SERVER_RULES : SERVER_RULES.filter(({ id }) => id !== 'progress-stops');
  }

  /** Notes a message of the client. */
  sent(json: JsonText): void {
    const { value } = json;
    const id = scalarKeyAt(json, ['id']);
    if (isRequest(value) && id !== undefined) this.#asked.set(id, value);
    if (isRequest(value) && value.method === 'tools/call') this.#structured.called(value);
    this.#session.add('client', json);
  }

  /** Checks a message or batch of the server. */
  received(json: JsonText): void {
    this.#checkForm(json);
    for (const one of elementsOf(json)) {
      const { value } = one;
      const id = scalarKeyAt(one, ['id']);
      if (!isResponse(value)) this.#session.add('server', one);
      else if (id !== undefined) this.#session.addResponse('server', { id, response: value });
      if (isNotification(value) && value.method === 'notifications/tools/list_changed') this.#structured.changed();
      if (isResponse(value)) this.#checkAnswer(value, id);
      else if (isRequest(value) || isNotification(value)) this.checkParams(value);
    }
  }

  /**
   * Checks the params of a server's request or notification. `isEmbedded` marks a request inside an answer, whose
   * schema was already checked with the answer.
   */
  checkParams(message: Request | Notification, { isEmbedded = false }: { isEmbedded?: boolean } = {}): void {
    const { method } = message;
    const byHand = isRequest(message) ? serverRequestProblem(message, isModern(this.#revision)) : undefined;
    const problem = byHand ?? (isEmbedded ? undefined : this.#brokenParams(message));
    if (problem !== undefined) this.#tell(`The server has sent ${method} with bad params: ${problem}.`);
  }

  /** Rules of the protocol that the server has broken so far. */
  get brokenRules(): Finding[] {
    return this.#session.findings(this.#rules);
  }

  /** Checks the form of a message or batch. */
  #checkForm(json: JsonText): void {
    for (const { why, text } of unreadableMessages(json)) {
      if (why === 'batch' && this.#revision === BATCH_REVISION) continue;
      const read = why === 'batch' ? `clients read in ${BATCH_REVISION} only` : 'clients do not read';
      this.#tell(`The server has sent ${FORMS[why]}, which ${read}: ${text}`, why);
    }
  }

  /** Checks the response to a request of the client. Responses without a request are checked elsewhere. */
  #checkAnswer(answer: Response, id: string | undefined): void {
    const request = id === undefined ? undefined : this.#asked.get(id);
    if (request === undefined) return;
    this.#asked.delete(id!);
    if (request.method === 'initialize') this.#agree(answer);
    const problem = this.#problem(request, answer);
    if (problem !== undefined)
      this.#tell(`The server has answered ${subjectOf(request.method, request.params)} with ${problem}.`);
  }

  #agree({ result }: Response): void {
    const chosen = isObject(result) ? result.protocolVersion : undefined;
    const known = REVISIONS.find((revision) => revision === chosen);
    if (known !== undefined) this.#revision = known;
  }

  #problem(request: Request, answer: Response): string | undefined {
    if ('result' in answer && 'error' in answer) return 'a result and an error: JSON-RPC 2.0 allows one of them';
    if (isDeeplyNested(answer)) return undefined;
    const isError = 'error' in answer;
    const broken = isError ? this.#brokenError(answer) : this.#brokenResult(request, answer);
    return broken && `a bad ${isError ? 'error' : 'result'}: ${broken}`;
  }

  /** Returns the violation of the schema in params. The id is replaced by a valid one, because a rule checks ids. */
  #brokenParams(message: Request | Notification): string | undefined {
    if (isDeeplyNested(message)) return undefined;
    const value = { ...message, jsonrpc: '2.0', ...(isRequest(message) && { id: 0 }) };
    return this.#clause((checks) => checks.ofMethod(message.method), value, '');
  }

  #brokenError(answer: Response): string | undefined {
    return this.#clause((checks) => checks.ofErrorResponse(), { ...answer, jsonrpc: '2.0' }, '');
  }

  #brokenResult(request: Request, { result }: Response): string | undefined {
    const { method } = request;
    if (!isObject(result)) return '/result must be object (Result of all revisions)';
    if (method === 'tools/list') this.#structured.listed(request, result);
    const broken = this.#clause((checks) => checks.ofResult(method, result), withoutReported(result), '/result');
    return broken ?? this.#structured.problemOf(request, result);
  }

  /**
   * Returns the first place in a message that violates the schema, with the violated rule. Servers of the official SDKs
   * send resource links in every revision, and clients of the SDKs accept them. So a message of an older revision may
   * follow the newest schema of a revision with a handshake instead.
   */
  #clause(
    checkOf: (checks: MessageChecks) => DefinedCheck | undefined,
    value: unknown,
    at: string,
  ): string | undefined {
    const revision = this.#revision === NO_SCHEMA ? OLDEST_SCHEMA : this.#revision;
    const breached = (one: string) => {
      const check = checkOf(messageChecks(one)!);
      const breach = check?.breachOf(value);
      return breach && `${at + breach.path || 'it'} ${breach.why} (${check!.name} of ${one})`;
    };
    const own = breached(revision);
    const isAllowedLater = own !== undefined && revision < NEWEST_LEGACY && breached(NEWEST_LEGACY) === undefined;
    return isAllowedLater ? undefined : own;
  }

  /** Reports a problem once. A server that breaks a rule often breaks the rule in every message. */
  #tell(text: string, key = text): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#report({ kind: 'differs', text });
  }
}

/**
 * Returns a result without the input requests that are reported as bad server requests, so that each problem is
 * reported once.
 */
function withoutReported(result: Params): Params {
  const { inputRequests } = result;
  if (!isObject(inputRequests)) return result;
  const isReported = (one: unknown) => isObject(one) && serverRequestProblem(one as never, true) !== undefined;
  return {
    ...result,
    inputRequests: Object.fromEntries(Object.entries(inputRequests).filter(([, one]) => !isReported(one))),
  };
}
