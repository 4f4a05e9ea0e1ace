import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/correlate/session-entries.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { exactValue } from '../../match/exact-numbers.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isObject, isRequest, isResponse, type Request } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { protocolGeneration } from '../match/protocol-generation.ts';

/**
 * What a request was refused for, whatever it asked: `headers` that did not say what its body does, or the `envelope`
 * in its `_meta` (2026-07-28, "Error Handling").
 */
export type ProtocolRejection = 'headers' | 'envelope';

const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;
const MISSING_CAPABILITY = -32021;
const UNSUPPORTED_VERSION = -32022;

/** Recorded requests that were refused for how they were asked. There are none before 2026-07-28. */
export function protocolRejections(entries: readonly SessionEntry[], links: Links): Map<number, ProtocolRejection> {
  const refusals = new Map<number, ProtocolRejection>();
  if (!protocolGeneration(entries).modern) return refusals;
  for (const [request, answer] of links.answerOf) {
    const refusal = refusalOf(entries[request]?.message, entries[answer]?.message);
    if (refusal) refusals.set(request, refusal);
  }
  return refusals;
}

function refusalOf(request: SessionEntry['message'], answer: SessionEntry['message']): ProtocolRejection | undefined {
  if (!isRequest(request) || !isResponse(answer)) return undefined;
  switch (errorOf(answer)?.code) {
    case HEADER_MISMATCH:
      return 'headers';
    case MISSING_CAPABILITY:
    case UNSUPPORTED_VERSION:
      return 'envelope';
    case INVALID_PARAMS:
      return isComplete(request) ? undefined : 'envelope';
    default:
      return undefined;
  }
}

function isComplete({ params }: Request): boolean {
  const { [META.protocolVersion]: version, [META.clientCapabilities]: capabilities } = metaOf(params);
  return typeof version === 'string' && isObject(capabilities);
}

/** What a request says of itself in `_meta` that it can be refused for, as text to compare. */
export function requestMetadata(json: JsonText): string {
  const message = exactValue(json);
  const meta = metaOf(isObject(message) ? message.params : undefined);
  return canonicalJson([meta[META.protocolVersion], meta[META.clientCapabilities]]);
}
