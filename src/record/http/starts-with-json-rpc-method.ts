/** Beginnings of requests and notifications, as SDKs write them. */
const METHODS_FIRST = ['{"method":"', '{"jsonrpc":"2.0","method":"'].map((text) => Buffer.from(text));

/**
 * Reports whether the message at `start` is certainly no response, because it begins with its method, as SDKs write it.
 */
export function startsWithJsonRpcMethod(bytes: Uint8Array, start: number): boolean {
  return METHODS_FIRST.some((opening) => opening.every((byte, i) => bytes[start + i] === byte));
}
