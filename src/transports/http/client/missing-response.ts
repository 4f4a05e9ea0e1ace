import type { Frame } from '../../../channel/frame.ts';

/** Formats a status: `HTTP 503 Service Unavailable`. */
export function statusWords(status: number): string {
  // Loaded on demand: a replay over stdio loads no HTTP stack.
  const { STATUS_CODES } = process.getBuiltinModule('node:http');
  return `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** Returns the reason if the last frame of an exchange shows a failure. Undefined: the frame can be a response. */
export function whyNoResponse(frame: Frame): string | undefined {
  if (frame.kind === 'close') return 'The server closed the connection before it had answered.';
  const status = frame.kind === 'message' || frame.kind === 'http-response' ? frame.status : undefined;
  if (status === undefined || status === 'sse') return undefined;
  // A JSON-RPC error with the request's id is a response, whatever its HTTP status.
  if (frame.kind === 'message' && hasId(frame.json.value)) return undefined;
  return `The server answered ${statusWords(status)}`;
}

/**
 * Returns the text of an error response to request `id`, a JSON token, for a request without an answer (JSON-RPC 2.0,
 * "Error object").
 */
export function missingResponseError(id: string, why: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: SERVER_ERROR, message: why })}}`;
}

/** Code that SDKs use for reasons without a JSON-RPC code. */
const SERVER_ERROR = -32000;

function hasId(message: unknown): boolean {
  const id = (message as { id?: unknown } | null)?.id;
  return typeof id === 'string' || typeof id === 'number';
}
