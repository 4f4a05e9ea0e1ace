import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Command } from '../../support/command.ts';
import { capabilities, clientInfo, demoRoots, elicited, sampled } from './answers.ts';
import { Heard, overhear, type Peer, type PeerOptions, type TransportLike } from './peer.ts';

/** A client on `@modelcontextprotocol/sdk` 1.x that can do all that a server may ask for, on stdio. */
export function connectSdk1({ command, args, env }: Command, options?: PeerOptions): Promise<Peer> {
  return sdk1Over(new StdioClientTransport({ command, args, stderr: 'ignore', ...(env && { env }) }), options);
}

/** The same on any transport. */
export async function sdk1Over(transport: TransportLike, { roots = demoRoots }: PeerOptions = {}): Promise<Peer> {
  const client = new Client(clientInfo, { capabilities });
  client.setRequestHandler(ListRootsRequestSchema, () => ({ roots }));
  client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sampled(params));
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => elicited(params));

  const heard = new Heard();
  await client.connect(overhear(transport, heard) as Transport);
  return {
    opened: {
      server: client.getServerVersion(),
      capabilities: client.getServerCapabilities(),
      instructions: client.getInstructions(),
    },
    heard,
    request: (method, params, { signal, progress } = {}) =>
      client.request({ method, ...(params && { params }) } as never, ResultSchema, {
        ...(signal && { signal }),
        ...(progress && { onprogress: () => {} }),
      }),
    notify: (method, params) => client.notification({ method, ...(params && { params }) } as never),
    close: () => client.close(),
  };
}
