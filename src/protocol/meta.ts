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

/** Returns the revision that a message states, from 2026-07-28 on. Undefined for older revisions. */
export function claimedRevision(message: unknown): string | undefined {
  const claim = isObject(message) ? metaOf(message.params)[META.protocolVersion] : undefined;
  return typeof claim === 'string' ? claim : undefined;
}

/** Returns the `_meta` of params or of a result; empty if absent. */
export function metaOf(holder: unknown): Record<string, unknown> {
  const meta = isObject(holder) ? holder._meta : undefined;
  return isObject(meta) ? meta : {};
}
