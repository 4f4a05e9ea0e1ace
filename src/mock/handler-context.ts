import type { Clock, Milliseconds } from '../kernel/clock.ts';
import { capabilityForRequest } from '../lint/capability-for-request.ts';
import { isObject, type Params, paramsOf } from '../protocol/message.ts';
import { META, metaOf } from '../protocol/meta.ts';
import { isDeclared } from '../protocol/method-table.ts';
import { checkSentMethod } from './check-sent-method.ts';
import type { HandledRequest, HandlerContext, Result } from './handler.ts';
import type { OpenCall } from './open-handler-call.ts';
import { serverRequestProblem } from './protocol-rules/server-request-problem.ts';
import type { AskOptions } from './server/ask-timeout.ts';

/** Operations of a session for a handler whose call is open. */
export interface CallActions {
  notify(call: OpenCall, method: string, params: Params | undefined): void;
  ask(call: OpenCall, method: string, params: Params | undefined, options: AskOptions): Promise<Result>;
  passthrough(call: OpenCall): Promise<Result>;
  /** Reports a handler that acts after its answer, which is a mistake. `what` describes the action. */
  late(call: OpenCall, what: string): void;
}

/**
 * The context that a handler receives with a call. Its functions work without `this`, because most handlers destructure
 * the context. They are created on first access, because few handlers use any. A function throws on an invalid message,
 * which is reported as a mistake of the handler.
 */
export class CallContext implements HandlerContext {
  readonly #call: OpenCall;
  readonly #actions: CallActions;
  /** Capabilities that the client has declared in its handshake. Undefined: the peer is a server, or there was none. */
  readonly capabilities: unknown;
  #request: HandledRequest | undefined;

  constructor(call: OpenCall, actions: CallActions, capabilities: unknown) {
    this.#call = call;
    this.#actions = actions;
    this.capabilities = capabilities;
  }

  get signal(): AbortSignal {
    return this.#call.signal;
  }

  get request(): HandledRequest {
    this.#request ??= handledRequest(this.#call);
    return this.#request;
  }

  get progress(): HandlerContext['progress'] {
    return (progress, details = {}) => {
      if (typeof progress !== 'number' || !isObject(details))
        throw new TypeError('Progress is a number, perhaps with details: progress(1, { total: 2 }).');
      const { progressToken } = metaOf(paramsOf(this.#call.request));
      if (this.#isOver('sent progress') || progressToken === undefined) return;
      this.#call.hasProgress = true;
      this.#actions.notify(this.#call, 'notifications/progress', { progressToken, progress, ...details });
    };
  }

  get notify(): HandlerContext['notify'] {
    return (method, params) => {
      checkMessage('notify', method, params);
      checkSentMethod(method, 'notification');
      if (!this.#isOver(`sent ${method}`)) this.#actions.notify(this.#call, method, params);
    };
  }

  get ask(): HandlerContext['ask'] {
    return (method, params, options) => this.#ask(method, params, options);
  }

  get sample(): HandlerContext['sample'] {
    return async (params, options) => {
      this.#checkQuestion('sample', 'sampling/createMessage', params);
      return this.#ask('sampling/createMessage', params, options);
    };
  }

  get elicit(): HandlerContext['elicit'] {
    return async (params, options) => {
      this.#checkQuestion('elicit', 'elicitation/create', params);
      return this.#ask('elicitation/create', params, options);
    };
  }

  get passthrough(): HandlerContext['passthrough'] {
    return () => this.#actions.passthrough(this.#call);
  }

  /**
   * Reports whether the call is over. Acting after the end of a call is a mistake of the handler, unless the call was
   * cancelled.
   */
  #isOver(what: string): boolean {
    const { isOver, isCancelled } = this.#call;
    if (isOver && !isCancelled) this.#actions.late(this.#call, what);
    return isOver;
  }

  /** Throws if the specification forbids a question with these params to this client. `ask` sends any params. */
  #checkQuestion(name: 'sample' | 'elicit', method: string, params: Params): void {
    checkMessage(name, method, params);
    const { isModern, request } = this.#call;
    const declared = isModern ? metaOf(paramsOf(request))[META.clientCapabilities] : this.capabilities;
    const problem =
      serverRequestProblem({ id: 0, method, params }, isModern) ?? undeclaredPart(method, params, declared);
    if (problem !== undefined)
      throw new TypeError(
        `${name} cannot send such a request: ${problem}. To send it on purpose: ask('${method}', { … }).`,
      );
  }

  async #ask(method: string, params?: Params, options: AskOptions = {}): Promise<Result> {
    checkMessage('ask', method, params);
    checkSentMethod(method, 'request');
    if (this.#isOver(`asked for ${method}`)) throw new Error(`The call is over: ${method} cannot be asked any more.`);
    return this.#actions.ask(this.#call, method, params, options);
  }
}

/**
 * Returns the problem of a question that needs a part of a capability, such as `sampling.tools`, of which the client has
 * declared the rest. A client without the whole capability refuses the question itself.
 */
function undeclaredPart(method: string, params: Params, declared: unknown): string | undefined {
  const path = capabilityForRequest({ method, params }, declared);
  const [whole] = path;
  if (whole === undefined || !isDeclared([whole], declared) || isDeclared(path, declared)) return undefined;
  return `the client has not declared ${path.join('.')}`;
}

/** Returns a request that its handler may change. Parsing a small message is faster than `structuredClone`. */
function handledRequest({ request: { id, method }, json }: OpenCall): HandledRequest {
  return { id, method, params: paramsOf(JSON.parse(json.text)) };
}

function checkMessage(name: string, method: unknown, params: unknown): void {
  if (typeof method === 'string' && method !== '' && (params === undefined || isObject(params))) return;
  throw new TypeError(`${name} takes a method and params, an object: ${name}(METHOD, { … }).`);
}

/** Resolves after a delay, or immediately when the signal is aborted. */
export function delayed(clock: Clock, delay: Milliseconds, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(delay, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}
