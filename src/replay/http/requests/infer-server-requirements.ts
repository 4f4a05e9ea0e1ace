import { isRequest, isResponse, resultOf } from '../../../protocol/message.ts';
import { META, metaOf } from '../../../protocol/meta.ts';
import { isModern, REVISIONS } from '../../../protocol/revisions.ts';
import { type ParamHeaders, paramHeadersOf } from '../../../transports/http/mcp-headers/param-headers.ts';
import type { HttpCassette } from '../http-cassette.ts';

/** Requirements on requests, derived from the cassettes of a mock server. */
export interface ServerRequirements {
  /** Allowed `MCP-Protocol-Version` values up to 2025-11-25; empty if all cassettes are newer. */
  legacy: ReadonlySet<string>;
  /** Allowed revisions from 2026-07-28 on; empty if all cassettes are older. */
  modern: ReadonlySet<string>;
  /** Arguments repeated in headers in calls of 2026-07-28, by tool name. */
  params: ReadonlyMap<string, ParamHeaders>;
  /** Whether a recorded client sent batches and was served. Batches are then accepted in any revision. */
  batches: boolean;
  /** Statuses with which the server refused requests. */
  refusals: ReadonlySet<number>;
}

/** Returns the requirements shown by these cassettes. */
export function inferServerRequirements(cassettes: readonly HttpCassette[]): ServerRequirements {
  const legacy = new Set<string>();
  const modern = new Set<string>();
  const params = new Map<string, ParamHeaders>();
  const refusals = new Set<number>();
  let batches = false;
  if (cassettes.some((cassette) => !cassette.modern))
    for (const revision of REVISIONS) if (!isModern(revision)) legacy.add(revision);
  for (const { plan, modern: isModernCassette } of cassettes) {
    const { entries, links } = plan;
    for (const { index, from, frame, message } of entries) {
      if ('status' in frame && Number(frame.status) >= 400) refusals.add(Number(frame.status));
      batches ||= from === 'client' && frame.kind === 'message' && Array.isArray(frame.json.value);
      if (isRequest(message) && isModernCassette) {
        const claimed = metaOf(message.params)[META.protocolVersion];
        if (typeof claimed === 'string') modern.add(claimed);
      }
      const asked = entries[links.requestOf.get(index) ?? -1]?.message;
      if (!isResponse(message) || !isRequest(asked)) continue;
      const { protocolVersion } = resultOf(message);
      if (asked.method === 'initialize' && typeof protocolVersion === 'string') legacy.add(protocolVersion);
      if (asked.method === 'tools/list')
        for (const [tool, headers] of paramHeadersOf(message.result)) params.set(tool, headers);
    }
  }
  return { legacy, modern, params, batches, refusals };
}
