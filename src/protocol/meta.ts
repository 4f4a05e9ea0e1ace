import { isObject } from './message.ts';

/** Keys of `_meta` that MCP itself defines (2026-07-28, "every request carries"). */
export const META = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;

/** Returns the `_meta` of params or of a result; empty if absent. */
export function metaOf(holder: unknown): Record<string, unknown> {
  const meta = isObject(holder) ? holder._meta : undefined;
  return isObject(meta) ? meta : {};
}
