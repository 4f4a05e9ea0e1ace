import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { eventsToEntries, type SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import {
  errorOf,
  isObject,
  isRequest,
  isResponse,
  paramsOf,
  type Request,
  type RpcError,
} from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { isModern, UNSUPPORTED_VERSION } from '../../protocol/revisions.ts';
import { serverCapabilities } from './observed-capabilities.ts';

export const METHOD_NOT_FOUND = -32601;

/** The protocol generation of a cassette: modern (2026-07-28 or later) or legacy. */
export interface ProtocolGeneration {
  modern: boolean;
  /** Revisions stated in the cassette's requests, newest last. Empty for legacy cassettes. */
  versions: string[];
  /** Response to a `server/discover` that the client sent to a separate process before the session. */
  discovered?: ResultOrError;
}

export type ResultOrError = { result: Record<string, unknown> } | { error: NonNullable<ReturnType<typeof errorOf>> };

/**
 * Returns the generation of a cassette. Modern: requests state a modern revision in `_meta`. Legacy: an `initialize`
 * succeeded, or no request states a modern revision.
 */
export function protocolGeneration(entries: readonly SessionEntry[]): ProtocolGeneration {
  const versions = new Set<string>();
  for (const { message, index } of entries) {
    if (!isRequest(message)) continue;
    if (message.method === 'initialize' && !isRefused(message, entries.slice(index))) return LEGACY;
    const claimed = metaOf(message.params)[META.protocolVersion];
    if (typeof claimed === 'string' && isModern(claimed) && message.method !== 'server/discover') {
      versions.add(claimed);
    }
  }
  return { modern: versions.size > 0, versions: [...versions].sort() };
}

/** Result for most cassettes, known from their first message. */
const LEGACY: ProtocolGeneration = { modern: false, versions: [] };

function isRefused({ id }: Request, after: readonly SessionEntry[]): boolean {
  const answer = after.find(({ message }) => isResponse(message) && message.id === id)?.message;
  return isResponse(answer) && errorOf(answer) !== undefined;
}

/**
 * Returns the response to `server/discover` in a probe's cassette. A probe is a separate server process started by the
 * client.
 */
export function discoverResponseIn(probe: readonly CassetteEvent[]): ResultOrError | undefined {
  const entries = eventsToEntries(probe);
  const { requestOf } = correlateEntries(entries);
  for (const { index, message } of entries) {
    const request = entries[requestOf.get(index) ?? -1]?.message;
    if (!isResponse(message) || !isRequest(request) || request.method !== 'server/discover') continue;
    const error = errorOf(message);
    if (error) return { error };
    if (isObject(message.result)) return { result: message.result };
  }
  return undefined;
}

/**
 * Returns this generation's response to an unrecorded probe (`server/discover`, `initialize` or `ping`), or `undefined`
 * for other methods. Silence would delay a probing client by up to a minute, and an error would fail it.
 */
export function responseToProbe(
  { method, params }: Request,
  generation: ProtocolGeneration,
  entries: readonly SessionEntry[],
): ResultOrError | undefined {
  if (method === 'server/discover') {
    if (generation.discovered) return generation.discovered;
    return generation.modern ? discoverResult(generation, entries) : { error: notFound(method) };
  }
  if (method === 'initialize' && generation.modern) {
    const data = { supported: generation.versions, requested: paramsOf({ params }).protocolVersion };
    return { error: { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data } };
  }
  if (method === 'ping') return generation.modern ? { error: notFound(method) } : { result: {} };
  return undefined;
}

function notFound(method: string): RpcError {
  return { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
}

/**
 * Returns a `server/discover` result with the capabilities that the cassette uses. `ttlMs: 0` makes caching clients
 * repeat calls.
 */
function discoverResult({ versions }: ProtocolGeneration, entries: readonly SessionEntry[]): ResultOrError {
  const capabilities = serverCapabilities(entries, { modern: true });
  let serverInfo: unknown;
  for (const { message } of entries) if (isResponse(message)) serverInfo ??= metaOf(message.result)[META.serverInfo];
  const _meta = serverInfo === undefined ? {} : { [META.serverInfo]: serverInfo };
  const result = { supportedVersions: versions, capabilities, ttlMs: 0, cacheScope: 'private', _meta };
  return { result: { resultType: 'complete', ...result } };
}
