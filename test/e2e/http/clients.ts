import { StreamableHTTPClientTransport as StreamableHttp2 } from '@modelcontextprotocol/client';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { client2Over } from '../session/client-2.ts';
import type { Peer } from '../session/peer.ts';
import { sdk1Over } from '../session/sdk-1.ts';

/** What no cassette may hold. */
export const CREDENTIAL = 'planted-credential-4711';

const requestInit = { headers: { Authorization: `Bearer ${CREDENTIAL}` } };

/** A peer over HTTP. */
export interface HttpPeer extends Peer {
  /** The session id it was given. */
  sessionId(): string | undefined;
  /** The methods of its requests over HTTP, in order. */
  asked: readonly string[];
}

/** Asks, and tells `asked` by what method. */
function askingFor(asked: string[]): typeof fetch {
  return (url, init) => {
    asked.push(init?.method ?? 'GET');
    return fetch(url, init);
  };
}

/** SDK 1.x over Streamable HTTP. Deletes its session when it closes, if it has one. */
export async function streamable1(url: URL): Promise<HttpPeer> {
  const asked: string[] = [];
  const transport = new StreamableHTTPClientTransport(url, { requestInit, fetch: askingFor(asked) });
  const peer = await sdk1Over(transport);
  let id: string | undefined;
  return {
    ...peer,
    asked,
    sessionId: () => transport.sessionId ?? id,
    async close() {
      id = transport.sessionId;
      await transport.terminateSession();
      await peer.close();
    },
  };
}

/** SDK 1.x over HTTP with SSE (2024-11-05). */
export async function sse1(url: URL): Promise<HttpPeer> {
  const asked: string[] = [];
  const transport = new SSEClientTransport(url, { requestInit, fetch: askingFor(asked) });
  const peer = await sdk1Over(transport);
  // The library keeps the endpoint, with the id of the session in it, to itself.
  const endpoint = (transport as unknown as { _endpoint: URL })._endpoint;
  return { ...peer, asked, sessionId: () => endpoint.searchParams.get('sessionId') ?? undefined };
}

/** Client 2.x, of revision 2026-07-28 and no other. */
export async function modern2(url: URL): Promise<HttpPeer> {
  const asked: string[] = [];
  const transport = new StreamableHttp2(url, { requestInit, fetch: askingFor(asked) });
  const peer = await client2Over(transport, { pin: '2026-07-28' });
  return { ...peer, asked, sessionId: () => transport.sessionId };
}
