import { isObject, type Params, paramsOf } from '../protocol/message.ts';
import { metaOf } from '../protocol/meta.ts';
import type { HandlerContext, ProgressDetails, Result } from './handler.ts';
import type { HandlerCall } from './handler-call.ts';

/** What a session does for a handler while its call is open. */
export interface CallActions {
  notify(method: string, params: Params | undefined): void;
  ask(method: string, params: Params | undefined): Promise<Result>;
  passthrough(): Promise<Result>;
  /** The handler goes on after its answer: `what` it does then is a mistake. */
  late(what: string): void;
}

/** Returns the context of a call. What it is given that is no message of MCP is a `TypeError`, a mistake of the handler. */
export function handlerContext(call: HandlerCall, { notify, ask, passthrough, late }: CallActions): HandlerContext {
  const isGone = (what: string) => {
    const { aborted } = call.controller.signal;
    // After a cancel a handler may finish what it does.
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
