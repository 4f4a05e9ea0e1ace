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

/**
 * Keys whose values the other side only sends back. A user rule may redact them, because both sides then have the same
 * placeholder.
 */
const REPEATED: ReadonlySet<string> = new Set(['cursor', 'nextCursor', 'requestState', 'taskId', 'elicitationId']);

/** Values defined by MCP or JSON-RPC, which are public. */
const PUBLIC = /^(?:2\.0|\d{4}-\d\d-\d\d(?:-RC\d*)?)$/;

/** Keys with data of users and tools. Values below them do not belong to the protocol. */
const FOREIGN: ReadonlySet<string> = new Set([
  'arguments',
  'structuredContent',
  'content',
  'data',
  'contents',
  'input',
]);

/** Keys with a JSON Schema as value. In a schema, `password` is a property's name. */
const SCHEMAS: ReadonlySet<string> = new Set(['inputSchema', 'outputSchema', 'requestedSchema']);

/** Reports whether a key can hold protocol values. */
export function isProtocolKey(key: string | number | undefined): boolean {
  return typeof key === 'string' && MINTED.has(key);
}

/** Reports whether the value at `path` of a message belongs to the protocol. Built-in detectors do not redact it. */
export function isProtocolValue(path: JsonPath): boolean {
  const key = path.at(-1);
  if (!isProtocolKey(key)) return false;
  if (path.length > 1 && (key === 'id' || key === 'jsonrpc' || key === 'method'))
    return path.length === 4 && path[1] === 'inputRequests';
  return !path.some((step) => typeof step === 'string' && FOREIGN.has(step));
}

/**
 * Reports whether a user rule may redact the protocol value under `key`. Other protocol values are required for
 * playback.
 */
export function isRedactableByRule(key: string): boolean {
  return REPEATED.has(key);
}

/** Reports whether a protocol value is a version that MCP or JSON-RPC defines. */
export function isPublicVersion(key: string, value: string): boolean {
  return PUBLIC.test(value) && (key === 'jsonrpc' || key.endsWith('protocolVersion'));
}

/** Reports whether the value of a key is a JSON Schema. */
export function isSchemaKey(key: string): boolean {
  return SCHEMAS.has(key);
}
