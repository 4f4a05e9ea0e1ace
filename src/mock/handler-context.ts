import { isObject, type Params, paramsOf } from '../protocol/message.ts';
import { metaOf } from '../protocol/meta.ts';
import type { HandlerContext, ProgressDetails, Result } from './handler.ts';
import type { HandlerCall } from './handler-call.ts';

/** Operations of a session for a handler whose call is open. */
export interface CallActions {
  notify(method: string, params: Params | undefined): void;
  ask(method: string, params: Params | undefined): Promise<Result>;
  passthrough(): Promise<Result>;
  /** Reports a handler that acts after its answer, which is a mistake. `what` describes the action. */
  late(what: string): void;
}

/**
 * Returns the context of a call. Its methods throw a `TypeError` for invalid messages, which is reported as a mistake
 * of the handler.
 */
export function handlerContext(call: HandlerCall, { notify, ask, passthrough, late }: CallActions): HandlerContext {
  const isGone = (what: string) => {
    const { aborted } = call.controller.signal;
    // A handler that still runs after a cancellation makes no mistake.
    if (call.isOver && !aborted) late(what);
    return call.isOver || aborted;
  };
  const asked = async (method: string, params?: Params) => {
    checkMessage('ask', method, params);
    if (isGone(`asked for ${method}`)) throw new Error(`The call is over: ${method} cannot be asked any more.`);
    return ask(method, params);
  };
  return {
    signal: call.controller.signal,
    request: { id: call.request.id, method: call.request.method, params: structuredClone(paramsOf(call.request)) },
    progress(progress: number, details: ProgressDetails = {}) {
      if (typeof progress !== 'number' || !isObject(details))
        throw new TypeError('Progress is a number, perhaps with details: progress(1, { total: 2 }).');
      const { progressToken } = metaOf(paramsOf(call.request));
      if (isGone('sent progress') || progressToken === undefined) return;
      notify('notifications/progress', { progressToken, progress, ...details });
    },
    notify(method, params) {
      checkMessage('notify', method, params);
      if (!method.startsWith('notifications/'))
        throw new TypeError(
          `"${method}" is no notification: notify('notifications/message', { level: 'info', data: 'hello' }).`,
        );
      if (!isGone(`sent ${method}`)) notify(method, params);
    },
    ask: asked,
    sample: (params) => asked('sampling/createMessage', params),
    elicit: (params) => asked('elicitation/create', params),
    passthrough,
  };
}

function checkMessage(name: string, method: unknown, params: unknown): void {
  if (typeof method === 'string' && method !== '' && (params === undefined || isObject(params))) return;
  throw new TypeError(`${name} takes a method and params, an object: ${name}(METHOD, { … }).`);
}
