/**
 * JSON-RPC 2.0 as MCP uses it: ids are strings or integers, never null (protocol digest: "JSON-RPC and framing"). A
 * peer may send any value as `params`, `result` and `error`, and some libraries send null for an absent member. {@link
 * paramsOf}, {@link resultOf} and {@link errorOf} read these members safely.
 */

/** Id of a request. */
export type Id = string | number;
/** Params of a request or notification. */
export type Params = Record<string, unknown>;

export interface Request {
  jsonrpc?: '2.0';
  id: Id;
  method: string;
  params?: unknown;
}

export interface Notification {
  jsonrpc?: '2.0';
  method: string;
  params?: unknown;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** Response with exactly one of `result` and `error`. An error about an unreadable request has no id, or null. */
export interface Response {
  jsonrpc?: '2.0';
  id?: Id | null;
  result?: unknown;
  error?: unknown;
}

export type Message = Request | Notification | Response;

/** Returns the params of a request or notification; empty if absent or not an object. */
export function paramsOf(message: unknown): Params {
  return isObject(message) && isObject(message.params) ? message.params : {};
}

/** Returns the result of a response; empty if absent or not an object. */
export function resultOf(message: unknown): Record<string, unknown> {
  return isObject(message) && isObject(message.result) ? message.result : {};
}

/**
 * Returns the error of a response; empty if it is not an object. Undefined: it is absent or null. Some libraries write
 * a null error beside a result.
 */
export function errorOf(message: unknown): Partial<Record<keyof RpcError, unknown>> | undefined {
  if (!isObject(message) || message.error === undefined || message.error === null) return undefined;
  return isObject(message.error) ? message.error : {};
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function isId(value: unknown): value is Id {
  return typeof value === 'string' || typeof value === 'number';
}

export function isRequest(value: unknown): value is Request {
  return isObject(value) && typeof value.method === 'string' && isId(value.id);
}

export function isNotification(value: unknown): value is Notification {
  return isObject(value) && typeof value.method === 'string' && !('id' in value);
}

export function isResponse(value: unknown): value is Response {
  return isObject(value) && !('method' in value) && ('result' in value || 'error' in value);
}

/** Reports whether a value is a request, a notification or a response. Other JSON is no message (JSON-RPC 2.0). */
export function isMessage(value: unknown): value is Message {
  return isRequest(value) || isNotification(value) || isResponse(value);
}
