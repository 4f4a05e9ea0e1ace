/** How messages begin that are no response, as SDKs write them. */
const METHODS_FIRST = ['{"method":"', '{"jsonrpc":"2.0","method":"'].map((text) => Buffer.from(text));

/** Whether the message at `start` surely is no response: it begins with its method, as SDKs write it. */
export function beginsWithMethod(bytes: Uint8Array, start: number): boolean {
  return METHODS_FIRST.some((opening) => opening.every((byte, i) => bytes[start + i] === byte));
}
