/**
 * Requests of a server inside of a result, and a client's answers inside of its next request (2026-07-28, "Multi
 * round-trip requests"). The journal lists them as the requests and responses that they are in older revisions.
 */
import { isObject, isRequest, type Params, paramsOf, type Response, resultOf } from '../protocol/message.ts';

/** A request of the server that its client answers in the next call. */
export interface InputRequest {
  method: string;
  params?: Params;
  /** Its key among the `inputRequests`. */
  id: string;
}

/** A client's answer to an {@link InputRequest}. */
export interface InputAnswer {
  /** Method of the answered request. Absent: the server has sent no request with this key. */
  to?: string;
  id: string;
  result: Record<string, unknown>;
  message: Response;
}

/** Returns the requests inside of a result. */
export function inputRequestsIn(message: unknown): InputRequest[] {
  const { inputRequests } = resultOf(message);
  return Object.entries(isObject(inputRequests) ? inputRequests : {}).flatMap(([id, one]) => {
    if (!isObject(one) || typeof one.method !== 'string') return [];
    return [{ method: one.method, ...(isObject(one.params) && { params: one.params }), id }];
  });
}

/** Reports whether a message of a server, or one of a batch, has a request for the client. */
export function asksClient(value: unknown): boolean {
  return [value].flat().some((message) => isRequest(message) || inputRequestsIn(message).length > 0);
}

/** Remembers the methods of requests inside of results, for the answers to them. */
export class InputRequestMethods {
  /** Session, `requestState` and key → method. */
  readonly #methods = new Map<string, string>();

  /** Takes a message of the server. */
  add(message: unknown, session: number | undefined): void {
    const { requestState } = resultOf(message);
    for (const { id, method } of inputRequestsIn(message)) this.#methods.set(keyOf(session, requestState, id), method);
  }

  /** Returns the answers inside of a client's request. */
  answersIn(message: unknown, session: number | undefined): InputAnswer[] {
    if (!isRequest(message)) return [];
    const { inputResponses, requestState } = paramsOf(message);
    return Object.entries(isObject(inputResponses) ? inputResponses : {}).flatMap(([id, result]) => {
      if (!isObject(result)) return [];
      const to = this.#methods.get(keyOf(session, requestState, id));
      return [{ ...(to !== undefined && { to }), id, result, message: { jsonrpc: '2.0', id, result } }];
    });
  }
}

/** Returns a key of a session, a state and an id. */
function keyOf(session: number | undefined, requestState: unknown, id: string): string {
  return JSON.stringify([session, requestState, id]);
}
