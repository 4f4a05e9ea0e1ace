import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { describe, expect, it, vi } from 'vitest';
import { mockClient, mockServer, tool } from '../../../src/adapters/mock.ts';
import { mswEndpoint } from '../../../src/adapters/msw.ts';
import { playwrightEndpoint } from '../../../src/adapters/playwright.ts';
import { replayTransport } from '../../../src/adapters/sdk.ts';
import { openMcp, serverTests, verifyServer } from '../../../src/adapters/testing.ts';
import { recordSession, server } from '../../e2e/verify/session.ts';
import { temporaryFolder } from '../../support/cassette.ts';

const folder = temporaryFolder();
const whole = join(folder, 'whole.yaml');
await recordSession(whole);
const text = readFileSync(whole, 'utf8');
/** Cut within the answer to the last call. */
const cut = text.slice(0, text.lastIndexOf('- server:') + '- serv'.length);
let cassettes = 0;

/** A new cassette that was cut off: each is warned of once. */
function cutOff(): string {
  const file = join(folder, `cut-${++cassettes}.yaml`);
  writeFileSync(file, cut);
  return file;
}

/** Returns what is printed as warnings meanwhile. */
async function warnings(run: () => unknown): Promise<string> {
  const said: string[] = [];
  const warn = vi.spyOn(console, 'warn').mockImplementation((line: string) => void said.push(line));
  try {
    await run();
  } finally {
    warn.mockRestore();
  }
  return said.join('\n');
}

const url = 'https://example.com/mcp';
const http = { all: () => ({}) };
const handlers = [tool('none', () => '')];
const fixture = (names: string[]) => openMcp({ file: join(folder, 'cut.test.js'), names });

/** What plays a cassette in a test, as its user calls it. */
const PLAYERS: [name: string, play: (cassette: string) => unknown][] = [
  [
    'mcp.connect',
    async (cassette) => {
      const mcp = fixture(['connect']);
      await mcp.connect(server(), { cassette, mode: 'replay' });
      await mcp.finish({ passed: false });
    },
  ],
  [
    'mcp.client',
    async (cassette) => {
      const mcp = fixture(['client']);
      await mcp.client(cassette, server());
      await mcp.finish({ passed: true });
    },
  ],
  ['mockServer', async (cassette) => void (await (await mockServer(cassette)).finish()).failures],
  [
    'mockServer over HTTP',
    async (cassette) => void (await (await mockServer(cassette, { over: 'http' })).finish()).failures,
  ],
  [
    'mockServer over stdio',
    async (cassette) => void (await (await mockServer(cassette, { over: 'stdio' })).finish()).failures,
  ],
  [
    'mockServer over stdio with handlers',
    async (cassette) => void (await (await mockServer(cassette, { over: 'stdio', handlers })).finish()).failures,
  ],
  ['mockClient', async (cassette) => void (await (await mockClient({ server: server(), cassette })).finish()).failures],
  ['mswEndpoint', (cassette) => mswEndpoint(http, url, cassette, { mode: 'replay' }).finish()],
  ['playwrightEndpoint', (cassette) => playwrightEndpoint({ cassette }).finish()],
  [
    'replayTransport',
    async (cassette) => {
      const transport = replayTransport(cassette) as Transport;
      await new Client({ name: 'test', version: '1' }).connect(transport);
      await transport.close();
    },
  ],
  ['verifyServer', (cassette) => verifyServer(cassette, server())],
  ['serverTests', (cassette) => serverTests(cassette, () => server())[0]!.run()],
];

describe('a cassette that was cut off', () => {
  it.each(PLAYERS)('is said by %s, once', async (_, play) => {
    const cassette = cutOff();
    const said = await warnings(async () => {
      await play(cassette);
      await play(cassette);
    });
    expect(said.match(/: the recording was cut short here/g)).toHaveLength(1);
    expect(said).toContain(cassette);
  });

  it.each(PLAYERS)('is not said by %s of a whole one', async (_, play) => {
    const cassette = join(folder, `whole-${++cassettes}.yaml`);
    copyFileSync(whole, cassette);
    expect(await warnings(() => play(cassette))).not.toContain('cut short');
  });

  it('has a test that says nothing of the server for its last request, and it alone', async () => {
    const tests = serverTests(cutOff(), () => server());
    await warnings(async () => {
      for (const { run } of tests) await run();
    });
    const skipped = tests.filter((test) => test.skipped !== undefined);
    expect(skipped).toEqual([
      expect.objectContaining({
        title: expect.stringMatching(/^tools\/call "weather" \(line \d+, without a recorded answer\)$/),
        skipped: 'was not answered in the cassette',
      }),
    ]);
    const others = serverTests(whole, () => server());
    for (const { run } of others) await run();
    expect(others.filter(({ title, skipped }) => skipped !== undefined || title.includes('without'))).toEqual([]);
  });
});

it('a cassette that is too old is said under CI by the fixture and by an endpoint', async () => {
  const options = { expires: 1, env: { CI: '1' } };
  const old = '2020-01-01T00:00:00Z';
  const at = (name: string) => {
    writeFileSync(join(folder, name), text.replace(/^recorded: .*$/m, `recorded: '${old}'`));
    return join(folder, name);
  };
  const said = await warnings(async () => {
    const mcp = fixture(['old']);
    await mcp.connect(server(), { cassette: at('old.yaml'), ...options });
    await mcp.finish({ passed: false });
    mswEndpoint(http, url, at('old-msw.yaml'), { ...options, bypass: (request) => request }).finish();
  });
  expect(said).toMatch(/old\.yaml: it was recorded .* days ago, which is longer than allowed/);
  expect(said).toMatch(/old-msw\.yaml: it was recorded .* days ago, which is longer than allowed/);
});
