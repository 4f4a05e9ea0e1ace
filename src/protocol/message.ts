/** JSON-RPC 2.0 as MCP uses it: strings and integers as ids, never null (protocol digest: "JSON-RPC and framing"). */

export type Id = string | number;
export type Params = Record<string, unknown>;

export interface Request {
  jsonrpc?: '2.0';
  id: Id;
  method: string;
  params?: Params;
}

export interface Notification {
  jsonrpc?: '2.0';
  method: string;
  params?: Params;
}

export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

/** Has exactly one of `result` and `error`. An error about an unreadable request has no id, or null. */
export interface Response {
  jsonrpc?: '2.0';
  id?: Id | null;
  result?: Record<string, unknown>;
  error?: RpcError;
}

export type Message = Request | Notification | Response;

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
