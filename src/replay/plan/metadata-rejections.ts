import type { Links } from '../../cassette/correlate/correlate-entries.ts';
import type { SessionEntry } from '../../cassette/split-batches-into-entries.ts';
import { canonicalJson } from '../../match/canonical-json.ts';
import { exactValue } from '../../match/exact-json-value.ts';
import type { JsonText } from '../../protocol/json-text.ts';
import { errorOf, isObject, isRequest, isResponse, type Request } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import { UNSUPPORTED_VERSION } from '../../protocol/revisions.ts';
import { protocolGeneration } from '../match/protocol-generation.ts';

/**
 * The reason why a server rejected a request before its method was examined: `headers` that contradict the body, or the
 * `envelope` in `_meta` (2026-07-28, "Error Handling").
 */
export type ProtocolRejection = 'headers' | 'envelope';

const INVALID_PARAMS = -32602;
const HEADER_MISMATCH = -32020;
const MISSING_CAPABILITY = -32021;

/** Returns the recorded requests rejected for their headers or envelope. Before 2026-07-28 there are none. */
export function protocolRejections(entries: readonly SessionEntry[], links: Links): Map<number, ProtocolRejection> {
  const rejections = new Map<number, ProtocolRejection>();
  if (!protocolGeneration(entries).modern) return rejections;
  for (const [request, answer] of links.answerOf) {
    const rejection = rejectionOf(entries[request]?.message, entries[answer]?.message);
    if (rejection) rejections.set(request, rejection);
  }
  return rejections;
}

function rejectionOf(request: SessionEntry['message'], answer: SessionEntry['message']): ProtocolRejection | undefined {
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

/** Returns the protocol version and client capabilities of a request's `_meta` as comparable text. */
export function requestMetadata(json: JsonText): string {
  const message = exactValue(json);
  const meta = metaOf(isObject(message) ? message.params : undefined);
  return canonicalJson([meta[META.protocolVersion], meta[META.clientCapabilities]]);
}
