import { elementsOf } from '../protocol/json-text.ts';
import { isObject } from '../protocol/message.ts';
import type { MessageFrame } from './frame.ts';

/** Lowest status of an HTTP error (RFC 9110, 15.5). */
const ERROR_STATUS_MIN = 400;

/**
 * Reports whether JSON is the body of an HTTP error and no JSON-RPC, such as `{"error":"invalid_token"}`: the body of an
 * error may be a JSON-RPC response ("Sending Messages to the Server"), and need not be one.
 */
export function isHttpErrorBody({ json, status = 200, sse }: MessageFrame): boolean {
  if (status < ERROR_STATUS_MIN || sse !== undefined) return false;
  return !elementsOf(json).some(({ value }) => isObject(value) && 'jsonrpc' in value);
}
