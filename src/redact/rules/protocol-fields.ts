import type { JsonPath } from '../../protocol/json-scan.ts';

/**
 * Keys whose values one side generates and the other side repeats, or that MCP itself defines (2026-07-28,
 * "requestState", "_meta", "Pagination"; JSON-RPC "id"). A session with changed values could not be played.
 */
const MINTED: ReadonlySet<string> = new Set([
  ...['id', 'jsonrpc', 'method', 'requestId', 'progressToken', 'cursor', 'nextCursor', 'requestState', 'taskId'],
  ...['elicitationId', 'protocolVersion', 'io.modelcontextprotocol/subscriptionId'],
  ...['io.modelcontextprotocol/protocolVersion'],
]);

/** Keys with data of users and tools. Values below them do not belong to the protocol. */
const FOREIGN: ReadonlySet<string> = new Set([
  'arguments',
  'structuredContent',
  'content',
  'data',
  'contents',
  'input',
]);

/** Keys of JSON Schemas, in which `password` is the name of a property. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** Reports whether a key can hold protocol values. */
export function isProtocolKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && MINTED.has(key);
}

/** Reports whether the value at `path` of a message belongs to the protocol, and is therefore never redacted. */
export function isProtocolValue(path: JsonPath): boolean {
  const key = path.at(-1);
  if (!isProtocolKey(key)) return false;
  if (path.length > 1 && (key === 'id' || key === 'jsonrpc' || key === 'method'))
    return path.length === 4 && path[1] === 'inputRequests';
  return !path.some((step) => typeof step === 'string' && FOREIGN.has(step));
}

/** Reports whether the value of a key is a JSON Schema. */
export function isSchemaKey(key: string): boolean {
  return SCHEMAS.has(key);
}
