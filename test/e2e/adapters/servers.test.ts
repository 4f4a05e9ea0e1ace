import { describe, expect, it } from 'vitest';
import type { TestedServer } from '../../../src/adapters/mock-client/open-server-under-test.ts';
import { mockServer } from '../../../src/adapters/mock-server/mock-server.ts';
import { clientTransport } from '../../../src/adapters/sdk.ts';
import { serverTests } from '../../../src/adapters/test/interaction-tests.ts';
import { openMcp } from '../../../src/adapters/test/open-mcp-in-any-runner.ts';
import { verifyServer } from '../../../src/adapters/test/verify-server.ts';
import { countOf } from '../../../src/text-report/outcome-model.ts';
import { cassette } from './contract.ts';
import { recordedServer } from './joined.ts';

/** The tested server: one that answers as in the cassette. */
const servers: [where: string, start: () => Promise<TestedServer>][] = [
  ['in this process', async () => recordedServer(cassette)],
  ['as a command', () => mockServer(cassette, { over: 'stdio' })],
  ['over HTTP', async () => ({ url: (await mockServer(cassette, { over: 'http' })).url })],
];

/** The ways to play the recorded client to it, each to its end. */
const players: [name: string, play: (server: TestedServer) => Promise<number>][] = [
  ['verifyServer', async (server) => countOf(await verifyServer(cassette, server), 'passed')],
  [
    'mcp.client',
    async (server) => {
      const mcp = openMcp({ file: import.meta.filename, names: ['a test'] });
      const outcome = await mcp.client(cassette, server);
      await mcp.finish({ passed: true });
      return countOf(outcome, 'passed');
    },
  ],
  [
    'testServer',
    async (server) => {
      const tests = serverTests(cassette, () => server);
      for (const { run } of tests) await run();
      return tests.length;
    },
  ],
];

describe.each(players)('the whole session of a recorded client, by %s,', (_, play) => {
  it.each(servers)('passes with a server %s', async (_, start) => {
    expect(await play(await start())).toBeGreaterThanOrEqual(20);
  });
});

it('the whole session of a recorded client, as a transport, passes', async () => {
  const client = clientTransport(cassette);
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await recordedServer(cassette)(client);
  const outcome = await client.outcome;
  expect(errors).toEqual([]);
  expect([countOf(outcome, 'failed'), countOf(outcome, 'passed') >= 20]).toEqual([0, true]);
});
