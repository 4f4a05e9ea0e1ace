import { basename, extname } from 'node:path';
import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { isObject, isRequest, type Params, paramsOf, type Request } from '../../protocol/message.ts';
import { isModern, NEWEST_LEGACY, REVISIONS } from '../../protocol/revisions.ts';
import { serverCapabilities } from './observed-capabilities.ts';

/** What a cassette leaves out, answered from what it shows. */
export interface InferredResponse {
  result: Record<string, unknown>;
  /** What was made up, for people. */
  text: string;
}

export interface InferredResponseOptions {
  entries: readonly SessionEntry[];
  /** The cassette's name. */
  file: string;
  /** It is of 2026-07-28 or later. */
  modern: boolean;
  /** No program recorded it. */
  isHandWritten?: boolean | undefined;
}

/** What a result of 2026-07-28 has beside its own members. `ttlMs: 0`: a client that caches asks again. */
const MODERN = { resultType: 'complete', ttlMs: 0, cacheScope: 'private' };

/**
 * Answers `initialize` and lists where the cassette does not have them: one that was written by hand, or begins in the
 * middle of a session. A recording from its beginning has what its client asked, so that other requests are misses.
 */
export function inferredResponse(request: Request, options: InferredResponseOptions): InferredResponse | undefined {
  const { entries, modern, file, isHandWritten = false } = options;
  const { method } = request;
  if (hasRequest(entries, method)) return undefined;
  const begins = hasRequest(entries, 'initialize');
  if (method === 'initialize') return modern || begins ? undefined : initialized(request, options);
  if (!isHandWritten && (modern || begins)) return undefined;
  const list = LISTS.get(method)?.(entries);
  if (list === undefined) return undefined;
  return {
    result: { ...(modern && MODERN), ...list },
    text: `${file} has no ${method}: answered from the calls that it has. Record a session, or write the list.`,
  };
}

/** A server by the name of its cassette. */
export function serverInfoOf(file: string): { name: string; version: string } {
  return { name: basename(file, extname(file)), version: '0.0.0' };
}

function initialized(request: Request, { entries, file }: InferredResponseOptions): InferredResponse {
  const asked = REVISIONS.find((revision) => revision === paramsOf(request).protocolVersion);
  const protocolVersion = asked === undefined || isModern(asked) ? NEWEST_LEGACY : asked;
  const capabilities = serverCapabilities(entries);
  const names = Object.keys(capabilities).join(', ') || 'none';
  return {
    result: { protocolVersion, capabilities, serverInfo: serverInfoOf(file) },
    text: `${file} has no initialize: answered with ${protocolVersion} and what the cassette shows (capabilities: ${names}).`,
  };
}

type List = Record<string, unknown>;

const LISTS: ReadonlyMap<string, (entries: readonly SessionEntry[]) => List | undefined> = new Map([
  ['tools/list', (entries: readonly SessionEntry[]) => listed('tools', namedIn(entries, 'tools/call', 'name'), toolOf)],
  [
    'prompts/list',
    (entries: readonly SessionEntry[]) => listed('prompts', namedIn(entries, 'prompts/get', 'name'), promptOf),
  ],
  [
    'resources/list',
    (entries: readonly SessionEntry[]) => listed('resources', namedIn(entries, 'resources/read', 'uri'), resourceOf),
  ],
  [
    'resources/templates/list',
    (entries: readonly SessionEntry[]) =>
      hasRequest(entries, 'resources/read') ? { resourceTemplates: [] } : undefined,
  ],
]);

function listed(
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

/** What the client named in its requests of `method`, in order, with their params. */
function namedIn(entries: readonly SessionEntry[], method: string, key: string): Map<string, Params[]> {
  const named = new Map<string, Params[]>();
  for (const { from, message } of entries) {
    if (from !== 'client' || !isRequest(message) || message.method !== method) continue;
    const params = paramsOf(message);
    const name = params[key];
    if (typeof name !== 'string') continue;
    const calls = named.get(name);
    if (calls) calls.push(params);
    else named.set(name, [params]);
  }
  return named;
}

/** Whether the client of a cassette makes a request of this method. */
export function hasRequest(entries: readonly SessionEntry[], method: string): boolean {
  return entries.some(({ from, message }) => from === 'client' && isRequest(message) && message.method === method);
}
