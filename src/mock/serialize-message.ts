import { JsonText } from '../protocol/json-text.ts';
import type { ResultOrError } from '../replay/match/protocol-generation.ts';
import type { Result } from './handler.ts';

/** Methods whose 2026-07-28 results have a cache lifetime. `ttlMs: 0` makes a caching client ask again. */
const CACHED: readonly string[] = ['resources/read'];

/** Adds the members required in every result of 2026-07-28. */
export function completeResult(result: Result, method: string, modern: boolean): Result {
  if (!modern) return result;
  const cached = CACHED.includes(method) ? { ttlMs: 0, cacheScope: 'private' } : {};
  return { resultType: 'complete', ...cached, ...result };
}

/** Returns a request or notification as JSON. Undefined members are omitted. */
export function messageText(members: Record<string, unknown>): JsonText {
  return new JsonText(JSON.stringify({ jsonrpc: '2.0', ...members }));
}

/** Returns a response as JSON. The id is a JSON token, so a number keeps its digits. */
export function responseText(id: string, reply: ResultOrError): JsonText {
  return new JsonText(`{"jsonrpc":"2.0","id":${id},${JSON.stringify(reply).slice(1)}`);
}
