import { StreamableHTTPClientTransport as Http2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as Http1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { HttpMockServer, MemoryServer, StdioServer } from '../../src/adapters/mock-server/mock-server-types.ts';
import { client2Over } from '../e2e/session/client-2.ts';
import type { Peer, TransportLike } from '../e2e/session/peer.ts';
import { sdk1Over } from '../e2e/session/sdk-1.ts';

/** The official clients, with their transports. */
export const CLIENTS = {
  'SDK 1': { connect: (transport: TransportLike) => sdk1Over(transport), http: Http1, stdio: Stdio1 },
  'client 2': { connect: (transport: TransportLike) => client2Over(transport), http: Http2, stdio: Stdio2 },
  'client 2 with 2026-07-28': {
    connect: (transport: TransportLike) => client2Over(transport, { pin: '2026-07-28' }),
    http: Http2,
    stdio: Stdio2,
  },
};
export type ClientName = keyof typeof CLIENTS;

export interface Way {
  client: ClientName;
  over: 'memory' | 'http' | 'stdio';
}

/** Each client over each transport. */
export const WAYS: Way[] = (Object.keys(CLIENTS) as ClientName[]).flatMap((client) =>
  (['memory', 'http', 'stdio'] as const).map((over) => ({ client, over })),
);

/** Connects a client to a mock server. */
export function connectTo(server: MemoryServer | HttpMockServer | StdioServer, client: ClientName): Promise<Peer> {
  const { connect, http, stdio } = CLIENTS[client];
  if ('url' in server) return connect(new http(new URL(server.url)) as TransportLike);
  if ('transport' in server) return connect(server.transport);
  const { command, args } = server;
  return connect(new stdio({ command, args }) as TransportLike);
}
