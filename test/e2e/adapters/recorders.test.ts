import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { describe, expect, it } from 'vitest';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { linkedTransports, recordTransport, replayTransport } from '../../../src/adapters/sdk.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { loadCassette } from '../../../src/cassette/read/load-cassette.ts';
import type { Server } from '../../../src/modes/connect-to-server.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import type { TransportLike } from '../session/peer.ts';
import { cassette as everything, told } from './contract.ts';
import { recordedServer } from './joined.ts';

/** A live server, which says what the cassette has, and a client's transport to it that is recorded. */
interface Recorded {
  transport: TransportLike;
  /** Ends the recording. */
  end(): Promise<unknown>;
}

const folder = temporaryFolder();

async function inTest(server: Server, cassette: string): Promise<Recorded> {
  const mcp = openMcp({ file: cassette, names: ['a test'] });
  const transport = await mcp.connect(server, { cassette, mode: 'record', env: {} });
  return { transport, end: () => mcp.finish({ passed: true }) };
}

const nothing = async () => {};

const ways: [name: string, record: (cassette: string) => Promise<Recorded>][] = [
  [
    'a session of a test with a command',
    async (cassette) => inTest(await mockServer(everything, { over: 'stdio' }), cassette),
  ],
  [
    'a session of a test with a URL',
    async (cassette) => inTest({ url: (await mockServer(everything, { over: 'http' })).url }, cassette),
  ],
  [
    "a transport of one's own",
    async (cassette) => {
      const { command, args } = await mockServer(everything, { over: 'stdio' });
      const inner = new StdioClientTransport({ command, args, stderr: 'ignore' });
      return { transport: recordTransport(inner, cassette), end: nothing };
    },
  ],
  [
    'linked transports',
    async (cassette) => {
      const { client, server } = linkedTransports();
      await recordedServer(everything)(server);
      return { transport: recordTransport(client, cassette), end: nothing };
    },
  ],
];

describe.each(ways)('recorded through %s', (_, record) => {
  it.each([1, 2] as const)('the whole session of SDK %i goes as it is replayed', async (generation) => {
    const expected = await told(replayTransport(everything), generation);
    const file = join(mkdtempSync(join(folder, 'cassette-')), 'cassette.yaml');
    const { transport, end } = await record(file);
    expect(await told(transport, generation)).toEqual(expected);
    await end();
    expect(loadCassette(file).end).toBe('complete');
    expect(await told(replayTransport(file), generation)).toEqual(expected);
  });
});
