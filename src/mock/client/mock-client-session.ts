import type { CassetteEvent } from '../../cassette/cassette.ts';
import type { Clock, Milliseconds } from '../../kernel/clock.ts';
import { McpRecordError } from '../../kernel/errors.ts';
import { elementsOf, type JsonText } from '../../protocol/json-text.ts';
import { isObject, type Params } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { LISTEN } from '../../protocol/method-table.ts';
import { clientResultProblem } from '../../protocol/results/client-result-problem.ts';
import { isModern, REVISIONS, type Revision } from '../../protocol/revisions.ts';
import type { Finding } from '../../replay/findings/finding.ts';
import { checkSentMethod } from '../check-sent-method.ts';
import type { Result } from '../handler.ts';
import type { HandlerList } from '../handler-list.ts';
import { HandlerSession } from '../handler-session.ts';
import type { RequestIds } from '../own-requests.ts';
import { type AskOptions, askWithTimeout } from '../server/ask-timeout.ts';
import { ClientDefaults, clientCapabilities } from './client-fallback-answers.ts';
import type { ServerMessageChecks } from './server-message-checks.ts';

/** Client information that a mock client sends. */
export interface ClientDescription {
  /** Default: `mock`, version `0.0.0`. */
  clientInfo?: { name: string; version: string; [member: string]: unknown };
  /** Default: the recorded client's capabilities, and those that the handlers need. */
  capabilities?: Record<string, unknown>;
  /** Default: 2025-11-25. */
  protocolVersion?: Revision;
}

export interface ClientSessionOptions {
  handlers: HandlerList;
  description: ClientDescription;
  /** Default: numbers. */
  requestIds?: RequestIds | undefined;
  /** Recorded session. Its client answers the requests that no handler matches. */
  events?: readonly CassetteEvent[] | undefined;
  clock: Clock;
  /** As {@link HandlerSessionOptions.progressGap}. */
  progressGap?: Milliseconds | undefined;
  /** Sends a message to the server. */
  send(json: JsonText): void;
  report(finding: Finding): void;
  /** Creates the checks of the server's messages, for the revision that the client offers. */
  checksFor(revision: string): ServerMessageChecks;
}

export interface RequestOptions extends AskOptions {
  /** Cancels the request. */
  signal?: AbortSignal;
}

/** Maximum number of `input_required` rounds of one call, which stops a server that never finishes. */
const ROUNDS_MAX = 100;

/** A mock client's session with one server. Handlers answer the server's requests. */
export class ClientSession {
  readonly #session: HandlerSession;
  readonly #description: Required<ClientDescription>;
  readonly #report: (finding: Finding) => void;
  readonly #clock: Clock;
  readonly #checks: ServerMessageChecks;

  constructor(options: ClientSessionOptions) {
    const { handlers, description, requestIds, events, clock, progressGap, send, report, checksFor } = options;
    this.#report = report;
    this.#clock = clock;
    const capabilities = clientCapabilities(handlers, events);
    const clientInfo = { name: 'mock', version: '0.0.0' };
    this.#description = { clientInfo, capabilities, protocolVersion: '2025-11-25', ...description };
    this.#checks = checksFor(this.#description.protocolVersion);
    this.#session = new HandlerSession({
      handlers,
      defaults: new ClientDefaults(handlers, events),
      clock,
      progressGap,
      peer: 'server',
      requestIds,
      send: (json) => {
        this.#checks.sent(json);
        send(json);
      },
      forward() {},
      report,
      resultProblem: clientResultProblem,
    });
  }

  /**
   * Performs the handshake, or sends `server/discover` from 2026-07-28 on. Resolves with the server's result.
   * @throws RpcFailure if the server refuses
   */
  async open(): Promise<Result> {
    const { protocolVersion, capabilities, clientInfo } = this.#description;
    if (isModern(protocolVersion)) return this.request('server/discover');
    const result = await this.#session.ask('initialize', { protocolVersion, capabilities, clientInfo });
    const { protocolVersion: negotiated } = result;
    if (!REVISIONS.includes(negotiated)) this.#report({ kind: 'thrown', text: strangeRevision(negotiated) });
    this.notify('notifications/initialized');
    return result;
  }

  /**
   * Sends a request and resolves with its result. Handlers answer the server's requests in the meantime.
   * @throws RpcFailure if the server answers with an error; McpRecordError MOCK_BAD_METHOD, MOCK_NO_ANSWER
   */
  async request(method: string, params: Params = {}, { signal, ...options }: RequestOptions = {}): Promise<Result> {
    checkSentMethod(method, 'request');
    const ask = (params: Params) =>
      askWithTimeout({ clock: this.#clock, peer: 'server', method, options, signal }, (limit) =>
        this.#session.ask(method, params, limit),
      );
    if (!isModern(this.#description.protocolVersion)) return ask(params);
    let asked: Params = { ...params, _meta: { ...this.#meta, ...metaOf(params) } };
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const result = await ask(asked);
      if (result.resultType !== 'input_required') return result;
      const { inputRequests, requestState } = result;
      const inputResponses = await this.#responsesTo(isObject(inputRequests) ? inputRequests : {});
      asked = { ...asked, inputResponses, ...(requestState !== undefined && { requestState }) };
    }
    throw new McpRecordError({
      code: 'MOCK_ASKED_ENDLESSLY',
      what: `Cannot get an answer to ${method}`,
      why: `the server has asked for input ${ROUNDS_MAX} times`,
      next: 'Let a handler give the input that the server wants, or mend the server.',
    });
  }

  /** Sends a notification. @throws McpRecordError MOCK_BAD_METHOD */
  notify(method: string, params?: Params): void {
    checkSentMethod(method, 'notification');
    this.#session.notify(method, params);
  }

  /** Handles a message or batch of the server. */
  receive(json: JsonText): void {
    this.#checks.received(json);
    for (const message of elementsOf(json)) this.#session.receive(message);
  }

  /** Rules of the protocol that the server has broken so far. */
  get brokenRules(): Finding[] {
    return this.#checks.brokenRules;
  }

  /**
   * Ends the session on the client's side. Reports requests that the server did not answer, except subscriptions, which
   * have no answer.
   */
  leave(): void {
    for (const asked of this.#session.unanswered)
      if (asked !== LISTEN) this.#report({ kind: 'thrown', text: `The server has not answered ${asked}.` });
    this.end();
  }

  /** Ends the session on the server's side. Rejects all pending requests with the reason `why`. */
  end(why = 'The server has ended, and has not answered.'): void {
    this.#session.end(why);
  }

  /** Answers the input requests of a result (2026-07-28, "Multi round-trip requests"). */
  async #responsesTo(inputRequests: Params): Promise<Record<string, Result>> {
    const answers = Object.entries(inputRequests).map(async ([key, one]) => {
      const { method, params } = isObject(one) ? one : {};
      const request = {
        jsonrpc: '2.0',
        id: key,
        method: String(method),
        params: isObject(params) ? params : {},
      } as const;
      this.#checks.checkParams(request, { isEmbedded: true });
      return [key, await this.#session.answer(request)] as const;
    });
    return Object.fromEntries(await Promise.all(answers));
  }

  get #meta(): Params {
    const { protocolVersion, capabilities, clientInfo } = this.#description;
    return {
      [META.protocolVersion]: protocolVersion,
      [META.clientInfo]: clientInfo,
      [META.clientCapabilities]: capabilities,
    };
  }
}

function strangeRevision(negotiated: unknown): string {
  return `The server has negotiated the revision ${JSON.stringify(negotiated)}, which mcp-record does not know: it knows ${REVISIONS.join(', ')}.`;
}
