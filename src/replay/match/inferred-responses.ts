import { basename, extname } from 'node:path';
import { ListMap } from '../../cassette/correlate/list-map.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { isObject, isRequest, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { isModern, NEWEST_LEGACY, REVISIONS } from '../../protocol/revisions.ts';
import { serverCapabilities } from './observed-capabilities.ts';

/** An inferred result, and the text of its finding. */
export interface InferredResponse {
  result: Record<string, unknown>;
  /** Sentence about the inferred response, with the next step. */
  text: string;
}

export interface InferredResponseOptions {
  entries: readonly SessionEntry[];
  /** The cassette's name. */
  file: string;
  /** Whether the cassette uses revision 2026-07-28 or later. */
  modern: boolean;
  /** The cassette was written by hand. */
  isHandWritten?: boolean | undefined;
}

/** Members of every list result of 2026-07-28. `ttlMs: 0` makes a caching client ask again. */
const MODERN = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/**
 * Infers the result of `initialize` or a list request for a cassette that was written by hand or starts in mid-session.
 * Returns `undefined` for other requests, and for a complete recording, in which a missing request is a miss.
 */
export function inferredResponse(request: Request, options: InferredResponseOptions): InferredResponse | undefined {
  const { entries, modern, file, isHandWritten = false } = options;
  const { method } = request;
  if (hasRequest(entries, method)) return undefined;
  const hasInitialize = hasRequest(entries, 'initialize');
  if (method === 'initialize') return modern || hasInitialize ? undefined : initializeResponse(request, options);
  if (!isHandWritten && (modern || hasInitialize)) return undefined;
  const list = LISTS.get(method)?.(entries);
  if (list === undefined) return undefined;
  return {
    result: { ...(modern && MODERN), ...list },
    text: `${file} has no ${method}: answered from the calls that it has. Record a session, or write the list.`,
  };
}

/** Returns a `serverInfo` with the name of the cassette. */
export function serverInfoOf(file: string): { name: string; version: string } {
  return { name: basename(file, extname(file)), version: '0.0.0' };
}

function initializeResponse(request: Request, { entries, file }: InferredResponseOptions): InferredResponse {
  const requested = REVISIONS.find((revision) => revision === paramsOf(request).protocolVersion);
  const protocolVersion = requested === undefined || isModern(requested) ? NEWEST_LEGACY : requested;
  const capabilities = serverCapabilities(entries);
  const names = Object.keys(capabilities).join(', ') || 'none';
  return {
    result: { protocolVersion, capabilities, serverInfo: serverInfoOf(file) },
    text: `${file} has no initialize: answered with ${protocolVersion} and what the cassette shows (capabilities: ${names}).`,
  };
}

type List = Record<string, unknown>;

const LISTS: ReadonlyMap<string, (entries: readonly SessionEntry[]) => List | undefined> = new Map([
  [
    'tools/list',
    (entries: readonly SessionEntry[]) => listOf('tools', callsByName(entries, 'tools/call', 'name'), toolOf),
  ],
  [
    'prompts/list',
    (entries: readonly SessionEntry[]) => listOf('prompts', callsByName(entries, 'prompts/get', 'name'), promptOf),
  ],
  [
    'resources/list',
    (entries: readonly SessionEntry[]) =>
      listOf('resources', callsByName(entries, 'resources/read', 'uri'), resourceOf),
  ],
  [
    'resources/templates/list',
    (entries: readonly SessionEntry[]) =>
      hasRequest(entries, 'resources/read') ? { resourceTemplates: [] } : undefined,
  ],
]);

function listOf(
  member: string,
  named: ReadonlyMap<string, Params[]>,
  itemOf: (name: string, calls: Params[]) => unknown,
): List | undefined {
  if (named.size === 0) return undefined;
  return { [member]: [...named].map(([name, calls]) => itemOf(name, calls)) };
}

const toolOf = (name: string) => ({ name, inputSchema: { type: 'object' } });

const resourceOf = (uri: string) => ({ uri, name: uri });

function promptOf(name: string, calls: Params[]): unknown {
  const used = calls.flatMap(({ arguments: given }) => (isObject(given) ? Object.keys(given) : []));
  const names = [...new Set(used)];
  return { name, ...(names.length > 0 && { arguments: names.map((argument) => ({ name: argument })) }) };
}

/** Groups the params of the client's requests of `method` by the value of `key`, in order. */
function callsByName(entries: readonly SessionEntry[], method: string, key: string): Map<string, Params[]> {
  const named = new ListMap<string, Params>();
  for (const { from, message } of entries) {
    if (from !== 'client' || !isRequest(message) || message.method !== method) continue;
    const params = paramsOf(message);
    const name = params[key];
    if (typeof name === 'string') named.add(name, params);
  }
  return named;
}

/** Reports whether the recorded client makes a request of this method. */
export function hasRequest(entries: readonly SessionEntry[], method: string): boolean {
  return entries.some(({ from, message }) => from === 'client' && isRequest(message) && message.method === method);
}
