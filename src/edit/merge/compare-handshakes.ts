import { isDeepStrictEqual } from 'node:util';
import { isObject, isRequest, paramsOf, resultOf } from '../../protocol/message.ts';
import { META, metaOf } from '../../protocol/meta.ts';
import type { EventLinks } from '../event-dependencies.ts';

/** Handshake of a session: the introductions of both sides. */
export interface Handshake {
  /** Negotiated revision, or the revision stated in requests (2026-07-28). */
  revision?: unknown;
  /** Statements of both sides, by their description. Absent: the cassette has no handshake. */
  said?: Readonly<Record<string, unknown>>;
  /** Whether an `initialize` was accepted. */
  isInitialized: boolean;
}

/** Returns the handshake of a cassette's first session. */
export function handshakeOf({ entries, links }: EventLinks): Handshake {
  for (const { index, from, message } of entries) {
    if (from === 'server' || !isRequest(message)) continue;
    const params = paramsOf(message);
    const claimed = metaOf(params)[META.protocolVersion];
    const answer = entries[links.answerOf.get(index) ?? -1]?.message;
    const isAnswered = isObject(answer) && 'result' in answer;
    const result = resultOf(answer);
    if (message.method === 'initialize' && isAnswered)
      return {
        revision: result.protocolVersion,
        isInitialized: true,
        said: {
          'the revision that the client asks for': params.protocolVersion,
          'what the client can do': params.capabilities,
          'the name or version of the client': params.clientInfo,
          'what the server can do': result.capabilities,
          'the name or version of the server': result.serverInfo,
          'the instructions of the server': result.instructions,
        },
      };
    if (claimed === undefined || message.method === 'initialize') continue;
    const isDiscovery = message.method === 'server/discover' && isAnswered;
    if (message.method === 'server/discover' && !isAnswered) continue;
    const { _meta, ...offered } = result;
    return {
      revision: claimed,
      isInitialized: false,
      said: {
        'what the client can do': metaOf(params)[META.clientCapabilities],
        ...(isDiscovery && { 'what the server can do': offered }),
      },
    };
  }
  return { isInitialized: false };
}

/**
 * Returns the description of the first difference between two handshakes, or `undefined`. Statements missing in one of
 * them are ignored.
 */
export function handshakeMismatch({ said: one = {} }: Handshake, { said: other = {} }: Handshake): string | undefined {
  const names = Object.keys(one).filter((name) => name in other);
  return names.find((name) => !isDeepStrictEqual(one[name], other[name]));
}
