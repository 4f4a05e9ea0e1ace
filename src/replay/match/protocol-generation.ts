import type { CassetteEvent } from '../../cassette/cassette.ts';
import { correlateEntries } from '../../cassette/correlate/correlate-entries.ts';
import { entriesOf, type SessionEntry } from '../../cassette/correlate/session-entries.ts';
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
import { isModern } from '../../protocol/revisions.ts';
import { serverCapabilities } from './observed-capabilities.ts';

const METHOD_NOT_FOUND = -32601;
const UNSUPPORTED_VERSION = -32022;

/** What a cassette tells of the era it was recorded in. */
export interface ProtocolGeneration {
  modern: boolean;
  /** The revisions that requests of the cassette claimed, newest last; empty on legacy cassettes. */
  versions: string[];
  /** What the server answered to the throw-away process that asked it before the session. */
  discovered?: Reply;
}

export type Reply = { result: Record<string, unknown> } | { error: NonNullable<ReturnType<typeof errorOf>> };

/** Legacy: an `initialize` was not refused, or nothing claims a revision. Modern: every request claims one in `_meta`. */
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

/** Told by the first message of most cassettes: the rest of a long one need not be looked at. */
const LEGACY: ProtocolGeneration = { modern: false, versions: [] };

function isRefused({ id }: Request, after: readonly SessionEntry[]): boolean {
  const answer = after.find(({ message }) => isResponse(message) && message.id === id)?.message;
  return isResponse(answer) && errorOf(answer) !== undefined;
}

/** The answer to `server/discover` in the cassette of a probe: clients ask in a process of its own, which has its own cassette. */
export function discoveredOn(probe: readonly CassetteEvent[]): Reply | undefined {
  const entries = entriesOf(probe);
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
 * What a server of the cassette's era says, at once, to a question about eras that the cassette does not hold. Silence would
 * cost a probing client up to a minute, and a miss would fail a client that only asked. Undefined: not such a question.
 */
export function replyToProbe(
  { method, params }: Request,
  era: ProtocolGeneration,
  entries: readonly SessionEntry[],
): Reply | undefined {
  if (method === 'server/discover') {
    if (era.discovered) return era.discovered;
    return era.modern ? discover(era, entries) : { error: notFound(method) };
  }
  if (method === 'initialize' && era.modern) {
    const data = { supported: era.versions, requested: paramsOf({ params }).protocolVersion };
    return { error: { code: UNSUPPORTED_VERSION, message: 'Unsupported protocol version', data } };
  }
  if (method === 'ping') return era.modern ? { error: notFound(method) } : { result: {} };
  return undefined;
}

function notFound(method: string): RpcError {
  return { code: METHOD_NOT_FOUND, message: `Method not found: ${method}` };
}

/** Capabilities are what the cassette shows in use; `ttlMs: 0` keeps caching clients from skipping recorded calls. */
function discover({ versions }: ProtocolGeneration, entries: readonly SessionEntry[]): Reply {
  const capabilities = serverCapabilities(entries);
  let serverInfo: unknown;
  for (const { message } of entries) if (isResponse(message)) serverInfo ??= metaOf(message.result)[META.serverInfo];
  const _meta = serverInfo === undefined ? {} : { [META.serverInfo]: serverInfo };
  const result = { supportedVersions: versions, capabilities, ttlMs: 0, cacheScope: 'private', _meta };
  return { result: { resultType: 'complete', ...result } };
}
