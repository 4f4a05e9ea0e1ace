import type { Side } from '../../channel/frame.ts';
import { isObject } from '../../protocol/message.ts';
import { FIRST_MODERN, type Revision } from '../../protocol/revisions.ts';
import { definitionsOf, readProtocolSchema } from '../../protocol/schema/protocol-schema.ts';

/** Kinds of parts of the protocol, in the order of reports. */
export const PART_KINDS = ['request', 'input request', 'notification', 'capability', 'error', 'transport'] as const;

export type PartKind = (typeof PART_KINDS)[number];

/** Part of the protocol that a session may exercise. */
export interface ProtocolPart {
  kind: PartKind;
  /** Side that sends the message, or declares the capability. Absent: either side, or none. */
  from?: Side;
  /** Method, capability such as `tools.listChanged`, error code, or transport. */
  name: string;
}

type Definitions = Record<string, unknown>;

/**
 * Returns the parts that a revision has: methods, capabilities and error codes of its JSON Schema, and its transports.
 */
export function protocolParts(revision: Revision): ProtocolPart[] {
  // 2024-11-05 has no JSON Schema here. The next revision added the capability `completions`, and no method.
  const isFirst = revision === '2024-11-05';
  const definitions = definitionsOf(readProtocolSchema(isFirst ? '2025-03-26' : revision)!);
  const capabilities = (['client', 'server'] as const).flatMap((from) =>
    capabilityNames(definitions[from === 'client' ? 'ClientCapabilities' : 'ServerCapabilities'])
      .filter((name) => !(isFirst && name === 'completions'))
      .map((name): ProtocolPart => ({ kind: 'capability', from, name })),
  );
  return [
    ...methodParts(definitions, 'request'),
    ...methodsOf(definitions, 'InputRequest').map(
      (name): ProtocolPart => ({ kind: 'input request', from: 'server', name }),
    ),
    ...methodParts(definitions, 'notification'),
    ...capabilities,
    ...errorCodes(revision, definitions).map((name): ProtocolPart => ({ kind: 'error', name })),
    ...transports(revision).map((name): ProtocolPart => ({ kind: 'transport', name })),
  ];
}

function methodParts(definitions: Definitions, kind: 'request' | 'notification'): ProtocolPart[] {
  const noun = kind === 'request' ? 'Request' : 'Notification';
  return (['client', 'server'] as const).flatMap((from) =>
    methodsOf(definitions, `${from === 'client' ? 'Client' : 'Server'}${noun}`).map((name) => ({ kind, from, name })),
  );
}

/** Returns the methods of a definition. A definition is a single message or an `anyOf` of messages. */
function methodsOf(definitions: Definitions, name: string): string[] {
  const definition = definitions[name];
  if (!isObject(definition)) return [];
  const { anyOf, properties } = definition;
  if (Array.isArray(anyOf)) return anyOf.flatMap((one) => methodsOf(definitions, referredBy(one))).sort();
  const method = isObject(properties) ? properties.method : undefined;
  return isObject(method) && typeof method.const === 'string' ? [method.const] : [];
}

function referredBy(schema: unknown): string {
  const reference = isObject(schema) ? schema.$ref : undefined;
  return typeof reference === 'string' ? reference.slice(reference.lastIndexOf('/') + 1) : '';
}

/** Returns the names of capabilities, with those inside them, such as `tools` and `tools.listChanged`. */
function capabilityNames(schema: unknown): string[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, inner]) => [
    name,
    ...capabilityNames(inner).map((below) => `${name}.${below}`),
  ]);
}

/** Codes of JSON-RPC 2.0, "Error object". */
const JSON_RPC_CODES: readonly string[] = ['-32700', '-32600', '-32601', '-32602', '-32603'];
/** Code of `resources/read` for an unknown resource, until 2025-11-25 ("Resources, Error Handling"). */
const RESOURCE_NOT_FOUND = '-32002';

function errorCodes(revision: Revision, definitions: Definitions): string[] {
  const own = JSON.stringify(definitions).match(/(?<="const":)-32\d{3}/g) ?? [];
  const legacy = revision < FIRST_MODERN ? [RESOURCE_NOT_FOUND] : [];
  return [...new Set([...JSON_RPC_CODES, ...legacy, ...own])];
}

/** Transports by the names of the specification. */
export const TRANSPORTS = { stdio: 'stdio', http: 'Streamable HTTP', sse: 'HTTP with SSE' } as const;

function transports(revision: Revision): string[] {
  return [TRANSPORTS.stdio, revision === '2024-11-05' ? TRANSPORTS.sse : TRANSPORTS.http];
}
