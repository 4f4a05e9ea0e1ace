import type { JsonPath } from '../../protocol/json-scan.ts';

/**
 * What one side minted for the other to give back, or a name that MCP itself defines (2026-07-28, "requestState", "_meta",
 * "Pagination"; JSON-RPC "id"): altered, the session could not be played.
 */
const MINTED: ReadonlySet<string> = new Set([
  ...['id', 'jsonrpc', 'method', 'requestId', 'progressToken', 'cursor', 'nextCursor', 'requestState', 'taskId'],
  ...['elicitationId', 'protocolVersion', 'io.modelcontextprotocol/subscriptionId'],
  ...['io.modelcontextprotocol/protocolVersion'],
]);

/** What users and tools put in: nothing below is the protocol's own. */
const FOREIGN: ReadonlySet<string> = new Set([
  'arguments',
  'structuredContent',
  'content',
  'data',
  'contents',
  'input',
]);

/** Keys that hold a JSON Schema, in which `password` names a property and is no value. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** Whether a key names what belongs to the protocol, at least in some places. */
export function isProtocolKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && MINTED.has(key);
}

/** Whether the value at `path` of a message belongs to the protocol, and is kept whatever it looks like. */
export function isProtocolValue(path: JsonPath): boolean {
  const key = path.at(-1);
  if (!isProtocolKey(key)) return false;
  if (path.length > 1 && (key === 'id' || key === 'jsonrpc' || key === 'method'))
    return path.length === 4 && path[1] === 'inputRequests';
  return !path.some((step) => typeof step === 'string' && FOREIGN.has(step));
}

/** Whether what stands under `key` is a schema. */
export function isSchemaKey(key: string): boolean {
  return SCHEMAS.has(key);
}
