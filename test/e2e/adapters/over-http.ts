import { StreamableHTTPClientTransport as StreamableHttp2 } from '@modelcontextprotocol/client';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { TransportLike } from '../session/peer.ts';

/** Transports of the two SDK generations to `url`. */
export function overHttp(url: string): (generation: 1 | 2) => TransportLike {
  return (generation) =>
    generation === 1 ? new StreamableHTTPClientTransport(new URL(url)) : new StreamableHttp2(new URL(url));
}
