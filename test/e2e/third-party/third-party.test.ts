import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, everything, program, recorded, replayed } from '../../support/command.ts';
import { type Listening, record, replay, serve } from '../http/processes.ts';
import type { Peer } from '../session/peer.ts';
import { runSession } from '../session/run.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { steps } from '../session/steps.ts';
import { withoutClock } from '../session/transcript.ts';
import { bridge } from './bridge.ts';
import { type Installed, install } from './installed.ts';

let folder: string;
let installed: Installed;

const server = () =>
  serve(program('@modelcontextprotocol/server-everything', 'dist/index.js', 'streamableHttp'), '/mcp');

/** What the steps of the session came to. */
async function outcomes(peer: Peer): Promise<unknown> {
  const text = JSON.stringify(withoutClock(await runSession(peer, steps)));
  const told = JSON.parse(text.replace(/(?<=\bsession )[\da-f-]{36}/g, '<id>')) as {
    step: string;
    outcome: unknown;
  }[];
  return told.map(({ step, outcome }) => ({ step, outcome }));
}

/** What each client sees of the server at a URL. */
const clients: Record<string, (url: string) => Promise<unknown>> = {
  'mcp-remote': async (url) =>
    outcomes(await connectSdk1(installed.program('mcp-remote', url, '--allow-http', '--transport', 'http-only'))),
  async inspector(url) {
    const ask = (method: string, ...args: string[]) =>
      installed.told('mcp-inspector', '--cli', url, '--transport', 'http', '--method', method, ...args);
    return [
      await ask('tools/list'),
      await ask('tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'),
      await ask('resources/list'),
      await ask('prompts/list'),
    ];
  },
  mcporter: async (url) => [
    await installed.told('mcporter', 'list', url, '--allow-http', '--schema', '--json'),
    await installed.told('mcporter', 'call', `${url}.echo`, 'message=hello', '--allow-http'),
    await installed.told('mcporter', 'call', `${url}.get-sum`, 'a=1', 'b=2', '--allow-http'),
  ],
  '@ai-sdk/mcp': (url) => installed.told('ai-sdk', url),
};

/** mcp-proxy serves over HTTP what a command says on stdio: here it is the client of that command. */
async function throughProxy(command: Command): Promise<unknown> {
  await using proxy = await bridge(installed, command);
  return await clients['@ai-sdk/mcp']!(proxy.url.href);
}

describe.runIf(process.env.THIRD_PARTY)('a client of other people', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mcp-record-third-party-'));
    installed = await install(folder);
  }, 300_000);
  afterAll(() => rmSync(folder, { recursive: true }), 60_000);

  it.each(Object.entries(clients))('%s sees the same directly, recorded and replayed', async (name, sees) => {
    const cassettes = join(folder, 'cassettes', name.replaceAll('/', '-'));
    mkdirSync(cassettes, { recursive: true });
    const at = async ({ url }: Listening) => sees(url.href);
    await using far = await server();
    const direct = await at(far);
    {
      await using recorder = await record(far.url, `${cassettes}/`);
      expect(await at(recorder)).toEqual(direct);
      await recorder.stop();
    }
    expect(readdirSync(cassettes)).not.toEqual([]);
    await using mock = await replay(`${cassettes}/`);
    expect(await at(mock)).toEqual(direct);
    expect(mock.said.filter((line) => line.includes('Cannot answer'))).toEqual([]);
  });

  it('mcp-proxy sees the same directly, recorded and replayed', async () => {
    const cassette = join(folder, 'mcp-proxy.yaml');
    const direct = await throughProxy(everything);
    expect(await throughProxy(recorded(cassette, everything))).toEqual(direct);
    expect(await throughProxy(replayed(cassette))).toEqual(direct);
  });
});
