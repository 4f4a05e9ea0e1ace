import { elementsOf, type JsonText } from '../protocol/json-text.ts';
import { isNotification, isRequest, isResponse, type Params, paramsOf, type Request } from '../protocol/message.ts';
import { LISTEN } from '../protocol/method-table.ts';
import { scalarKeyAt } from '../protocol/scalar-key.ts';
import type { Finding } from '../replay/findings/finding.ts';
import { HandledCalls } from '../replay/match/handled-calls.ts';
import type { ResultOrError } from '../replay/match/protocol-generation.ts';
import type { Handler, Result } from './handler.ts';
import { type CallActions, CallContext } from './handler-context.ts';
import { clientCannotBeAsked, describedFailure, passthroughWithoutCassette } from './handler-error-reply.ts';
import { failureOf, isModernRequest, keyOf, OpenCall, settle, type Waiting } from './open-handler-call.ts';
import { OwnRequests, strayResponse } from './own-requests.ts';
import { messageText, responseText } from './serialize-message.ts';
import { type AskOptions, askWithTimeout } from './server/ask-timeout.ts';
import { brokenReply, callHandler, unfinishedReply } from './server/call-handler.ts';
import { ClientMessageChecks } from './server/client-message-checks.ts';
import type { HandlerSessionOptions } from './server/handler-session-options.ts';
import { type Asked, InputRequiredCalls } from './server/input-required-calls.ts';
import { ListenSubscriptions } from './server/listen-subscriptions.ts';

/** One client's session, with handlers before a recorded server. */
export class HandlerSession {
  readonly #options: HandlerSessionOptions;
  /** Open calls, by stream and request id: several HTTP clients may share a session and use the same ids. */
  readonly #calls = new Map<string, OpenCall>();
  /** Calls whose handlers have not settled. */
  readonly #running = new Set<Promise<void>>();
  readonly #own: OwnRequests;
  /** Requests passed to the recorded server on behalf of a handler, by stream and id. */
  readonly #passed = new Map<string, Waiting>();
  readonly #suspended: InputRequiredCalls;
  readonly #subscriptions = new ListenSubscriptions();
  /** Whether the client's last request states 2026-07-28 or later. Such a client gets only subscribed notifications. */
  #isModern = false;
  /** Declared capabilities of the client. Absent: not declared yet, or the peer is a server. */
  #capabilities: unknown;
  /** Operations of handlers on their open calls. */
  readonly #actions: CallActions = {
    notify: ({ stream }, method, params) => this.#send(messageText({ method, params }), stream),
    ask: (call, method, params, options) => this.#askDuring(call, { method, params }, options),
    passthrough: (call) => this.#passthrough(call),
    late: (call, what) => void brokenReply(call, `${what} after its answer`, this.#options.report),
  };
  #hasClient = false;
  readonly #handled = new HandledCalls();
  /** Absent: the peer is a server, or a cassette has the client's messages. */
  readonly #checks: ClientMessageChecks | undefined;

  constructor(options: HandlerSessionOptions) {
    this.#options = options;
    const { defaults, peer, report, requestIds = defaults ? 'number' : 'string' } = options;
    if (defaults && peer !== 'server') this.#checks = new ClientMessageChecks(report, defaults);
    // Clients of SDK 1 do not read the cancellation of a request with the id 0.
    const first = peer === 'server' && requestIds === 'number' ? 0 : 1;
    this.#own = new OwnRequests((json, stream) => this.#send(json, stream), report, { ids: requestIds, first });
    this.#suspended = new InputRequiredCalls(report, (call, result) => this.#suspend(call, result));
  }

  /** Whether the client has sent a message. */
  get hasClient(): boolean {
    return this.#hasClient;
  }

  /** Titles of the pending requests to the peer. */
  get unanswered(): string[] {
    return this.#own.unanswered;
  }

  /** Rules of the protocol that the client has broken so far. */
  get brokenRules(): Finding[] {
    return this.#checks?.brokenRules ?? [];
  }

  /** Notes a fault that was injected into a message of either side. */
  faulted(): void {
    this.#checks?.faulted();
  }

  /** Handles a message or batch of the client. */
  receive(json: JsonText, stream?: number): void {
    this.#checks?.received(json, stream);
    for (const one of elementsOf(json)) this.#receive(one, stream);
  }

  #receive(json: JsonText, stream?: number): void {
    this.#hasClient = true;
    const { value } = json;
    if (isRequest(value)) return this.#onRequest(value, json, stream);
    if (isResponse(value)) {
      if (this.#own.settle(scalarKeyAt(json, ['id']), value)) return;
      if (this.#options.defaults) return this.#options.report(strayResponse(json));
    }
    const cancelled = isNotification(value) && value.method === 'notifications/cancelled';
    if (cancelled && this.#cancel(scalarKeyAt(json, ['params', 'requestId']), stream)) return;
    if (this.#options.defaults === undefined) this.#options.forward(json, stream);
  }

  /** Handles a message of the recorded server. Returns true if it answers a handler and must not reach the client. */
  fromServer(json: JsonText, stream?: number): boolean {
    const { value } = json;
    return isResponse(value) && settle(this.#passed, keyOf(scalarKeyAt(json, ['id']) ?? '', stream), value);
  }

  /** Sends a notification outside of any request. */
  notify(method: string, params?: Params): void {
    for (const { json, stream } of this.#subscriptions.addressed(method, params)) this.#send(json, stream);
    if (!this.#isModern) this.#send(messageText({ method, params }), undefined);
  }

  /** Sends a request to the client, unrelated to any request of the client. */
  ask(method: string, params?: Params, signal?: AbortSignal): Promise<Result> {
    if (this.#isModern) return Promise.reject(clientCannotBeAsked(method));
    const answer = this.#own.send(method, params, { signal });
    if (this.#options.peer === 'server') return answer;
    return answer.catch((error) => Promise.reject(describedFailure(error, this.#capabilities)));
  }

  /**
   * Returns the result for a request embedded in another message, from a handler or the default answers.
   * @throws RpcFailure if the answer is an error
   */
  async answer(message: Request): Promise<Result> {
    const { handlers, defaults, report } = this.#options;
    const handler = handlers.take(message);
    const call = handler && new OpenCall(handler, message, messageText({ ...message }), '0', undefined);
    const { reply, finding } = call
      ? { reply: await this.#replyOf(call), finding: undefined }
      : defaults!.answer(message, false);
    if (finding) report(finding);
    if ('error' in reply) throw failureOf(reply.error);
    return reply.result;
  }

  /** Resolves when no call is open. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }

  /**
   * Ends every call. Open calls are reported and answered with an error.
   * @param why reason of a server's end, to reject the requests of a mock client; absent: the client leaves
   */
  end(why?: string): void {
    for (const call of new Set([...this.#calls.values(), ...this.#suspended.end()])) {
      this.#note(call);
      call.cancel();
      if (call.lateReply && call.asking.length === 0) continue;
      const reply = unfinishedReply(call, this.#options);
      if (this.#calls.has(call.key)) this.#answer(call.id, reply, call.stream);
    }
    this.#calls.clear();
    this.#checks?.end();
    if (why === undefined) this.leave();
    else this.#own.rejectAll(why);
  }

  /** Ends every call without a report, because a fault has ended the session: nobody can get the answers. */
  endByFault(): void {
    this.#hasClient = false;
    for (const call of [...this.#calls.values(), ...this.#suspended.end()]) call.cancel();
    this.#calls.clear();
    this.#own.rejectAll('A fault has ended the session, and the client has not answered.');
  }

  /** Notes that the client has left. Requests to it are reported and rejected. */
  leave(): void {
    this.#hasClient = false;
    for (const asked of this.unanswered) {
      const text = `The session ended before the client answered ${asked}. Wait for the answer first. If none comes in time, see what the client does with the request.`;
      this.#options.report({ kind: 'unanswered', text });
    }
    this.#own.rejectAll('The client has left, and has not answered.');
  }

  #onRequest(message: Request, json: JsonText, stream: number | undefined): void {
    this.#isModern = isModernRequest(message);
    if (message.method === 'initialize') this.#capabilities = paramsOf(message).capabilities ?? {};
    const resumed = this.#suspended.take(message);
    if (resumed) return this.#resume(resumed, message, json, stream);
    const { handlers, defaults, forward, report } = this.#options;
    const handler = handlers.take(message) ?? (defaults ? this.#refuser(message) : handlers.lister(message));
    if (handler) return this.#start(this.#call(handler, message, json, stream));
    if (defaults === undefined) {
      handlers.noteUnhandled(message);
      return forward(this.#handled.mark(json), stream);
    }
    const id = scalarKeyAt(json, ['id'])!;
    if (message.method === LISTEN) return this.#send(this.#subscriptions.add(message, id, stream), stream);
    const { reply, finding } = defaults.answer(message, this.#isModern);
    if (finding) report(finding);
    this.#answer(id, reply, stream);
  }

  /** Sends a request or notification. */
  #send(json: JsonText, stream: number | undefined): void {
    this.#checks?.sent(json, stream);
    this.#options.send(json, stream);
  }

  /** Sends a response. The id is a JSON token. */
  #answer(id: string, reply: ResultOrError, stream: number | undefined): void {
    this.#checks?.answered(id, reply, stream);
    this.#options.send(responseText(id, reply), stream);
  }

  /** Returns a handler that checks the arguments of a request that no answer fits. Valid arguments are a miss. */
  #refuser(message: Request): Handler | undefined {
    const { handlers, report, defaults } = this.#options;
    const source = handlers.argumentsSource(message);
    const answer = async (): Promise<never> => {
      const { reply, finding } = defaults!.answer(message, this.#isModern);
      if (finding) report(finding);
      throw failureOf('error' in reply ? reply.error : {});
    };
    return source && { ...source, answer };
  }

  #start(call: Promise<void>): void {
    this.#running.add(call);
    void call.then(() => this.#running.delete(call));
  }

  async #call(handler: Handler, message: Request, json: JsonText, stream: number | undefined): Promise<void> {
    const id = scalarKeyAt(json, ['id'])!;
    const call = new OpenCall(handler, message, json, id, stream);
    this.#calls.set(call.key, call);
    const reply = await this.#replyOf(call);
    if (call.isCancelled) return;
    if (this.#calls.has(call.key)) this.#finish(call, reply);
    else call.lateReply = reply;
  }

  #finish(call: OpenCall, reply: ResultOrError): void {
    this.#calls.delete(call.key);
    call.isOver = true;
    const isError = 'error' in reply || reply.result.isError === true;
    this.#note(call, isError && !call.isRefused);
    if (call.handler.once && !isError && !call.isPassed) this.#handled.add(call.json);
    this.#answer(call.id, reply, call.stream);
  }

  /** Notes a call that no recorded answer is for. */
  #note(call: OpenCall, isError = false): void {
    const { defaults, handlers } = this.#options;
    if (defaults === undefined && !call.isPassed) handlers.noteReply(call.handler, call.json, isError);
  }

  #replyOf(call: OpenCall): Promise<ResultOrError> {
    return callHandler(call, new CallContext(call, this.#actions, this.#capabilities), this.#options);
  }

  async #askDuring(call: OpenCall, { method, params }: Asked, options: AskOptions): Promise<Result> {
    const { clock, peer = 'client' } = this.#options;
    call.asking = [...call.asking, method];
    const answer = askWithTimeout({ clock, peer, method, options }, (signal) =>
      call.isModern
        ? this.#suspended.ask(call, { method, params }, signal)
        : this.#own.send(method, params, { stream: call.stream, call, signal }),
    );
    return answer.finally(() => {
      call.asking = call.asking.toSpliced(call.asking.indexOf(method), 1);
    });
  }

  /** Answers a call with `input_required`. Returns false if the call is not open. */
  #suspend(call: OpenCall, result: Result): boolean {
    if (call.isCancelled || !this.#calls.delete(call.key)) return false;
    this.#answer(call.id, { result }, call.stream);
    return true;
  }

  #resume(call: OpenCall, message: Request, json: JsonText, stream: number | undefined): void {
    call.id = scalarKeyAt(json, ['id'])!;
    call.stream = stream;
    this.#calls.set(call.key, call);
    if (call.lateReply) return this.#finish(call, call.lateReply);
    this.#suspended.answer(call, message);
  }

  #passthrough(call: OpenCall): Promise<Result> {
    if (this.#options.defaults !== undefined) return Promise.reject(passthroughWithoutCassette());
    call.isPassed = true;
    const answer = new Promise<Result>((resolve, reject) => void this.#passed.set(call.key, { resolve, reject }));
    this.#options.forward(this.#handled.mark(call.json), call.stream);
    return answer;
  }

  /** Cancels a handler's call. Returns whether there was one. */
  #cancel(id: string | undefined, stream: number | undefined): boolean {
    if (id === undefined) return false;
    if (this.#subscriptions.remove(id)) return true;
    // Before 2026-07-28, a cancellation arrives on a separate stream, and ids are unique per session.
    const call = this.#calls.get(keyOf(id, stream)) ?? [...this.#calls.values()].find((one) => one.id === id);
    if (call === undefined) return false;
    this.#calls.delete(call.key);
    this.#note(call);
    call.cancel();
    return true;
  }
}
