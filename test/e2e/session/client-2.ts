import { Client, type Transport, type VersionNegotiationOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Command } from '../../support/command.ts';
import { capabilities, clientInfo, demoRoots, elicited, sampled } from './answers.ts';
import { Heard, overhear, type Peer, type TransportLike } from './peer.ts';

type Mode = NonNullable<VersionNegotiationOptions['mode']>;

/** Results as they came: the library's own schemas would leave out what they do not know. */
const asItCame = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as const;

/**
 * A client on `@modelcontextprotocol/client` 2.x. By default it opens as 1.x does; with `auto` or a pinned revision it
 * first starts the command once more, to ask for the server's revision.
 */
export function connectClient2({ command, args, env }: Command, mode?: Mode): Promise<Peer> {
  return client2Over(new StdioClientTransport({ command, args, stderr: 'ignore', ...(env && { env }) }), mode);
}

/** The same on any transport. */
export async function client2Over(transport: TransportLike, mode: Mode = 'legacy'): Promise<Peer> {
  const client = new Client(clientInfo, { capabilities, versionNegotiation: { mode } });
  client.setRequestHandler('roots/list', () => ({ roots: demoRoots }));
  client.setRequestHandler('sampling/createMessage', ({ params }) => sampled(params));
  client.setRequestHandler('elicitation/create', ({ params }) => elicited(params));

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
      client.request({ method, ...(params && { params }) } as never, asItCame, {
        ...(signal && { signal }),
        ...(progress && { onprogress: () => {} }),
      }),
    notify: (method, params) => client.notification({ method, ...(params && { params }) } as never),
    close: () => client.close(),
  };
}
