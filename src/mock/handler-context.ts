import { isObject, type Params, paramsOf } from '../protocol/message.ts';
import { metaOf } from '../protocol/meta.ts';
import { checkSentMethod } from './check-sent-method.ts';
import type { HandledRequest, HandlerContext, ProgressDetails, Result } from './handler.ts';
import type { OpenCall } from './open-handler-call.ts';
import type { AskOptions } from './server/ask-timeout.ts';

/** Operations of a session for a handler whose call is open. */
export interface CallActions {
  notify(call: OpenCall, method: string, params: Params | undefined): void;
  ask(call: OpenCall, method: string, params: Params | undefined, options: AskOptions): Promise<Result>;
  passthrough(call: OpenCall): Promise<Result>;
  /** Reports a handler that acts after its answer, which is a mistake. `what` describes the action. */
  late(call: OpenCall, what: string): void;
}

/** Returns the context of a call. Its methods throw for invalid messages, which is reported as a mistake of the handler. */
export function handlerContext(call: OpenCall, actions: CallActions): HandlerContext {
  const isGone = (what: string) => {
    // A handler that still runs after a cancellation makes no mistake.
    if (call.isOver && !call.isCancelled) actions.late(call, what);
    return call.isOver;
  };
  const asked = async (method: string, params?: Params, options: AskOptions = {}) => {
    checkMessage('ask', method, params);
    checkSentMethod(method, 'request');
    if (isGone(`asked for ${method}`)) throw new Error(`The call is over: ${method} cannot be asked any more.`);
    return actions.ask(call, method, params, options);
  };
  let request: HandledRequest | undefined;
  return {
    get signal() {
      return call.signal;
    },
    get request() {
      request ??= handledRequest(call);
      return request;
    },
    progress(progress: number, details: ProgressDetails = {}) {
      if (typeof progress !== 'number' || !isObject(details))
        throw new TypeError('Progress is a number, perhaps with details: progress(1, { total: 2 }).');
      const { progressToken } = metaOf(paramsOf(call.request));
      if (isGone('sent progress') || progressToken === undefined) return;
      actions.notify(call, 'notifications/progress', { progressToken, progress, ...details });
    },
    notify(method, params) {
      checkMessage('notify', method, params);
      checkSentMethod(method, 'notification');
      if (!isGone(`sent ${method}`)) actions.notify(call, method, params);
    },
    ask: asked,
    sample: (params, options) => asked('sampling/createMessage', params, options),
    elicit: (params, options) => asked('elicitation/create', params, options),
    passthrough: () => actions.passthrough(call),
  };
}

/** Returns a request that its handler may change. Parsing a small message is faster than `structuredClone`. */
function handledRequest({ request: { id, method }, json }: OpenCall): HandledRequest {
  return { id, method, params: paramsOf(JSON.parse(json.text)) };
}

function checkMessage(name: string, method: unknown, params: unknown): void {
  if (typeof method === 'string' && method !== '' && (params === undefined || isObject(params))) return;
  throw new TypeError(`${name} takes a method and params, an object: ${name}(METHOD, { … }).`);
}
