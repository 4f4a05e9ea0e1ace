import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, mcpRecord, program, replayed } from '../../support/command.ts';
import { connectClient2 } from '../session/client-2.ts';
import { modernSteps } from '../session/modern-steps.ts';
import type { Peer } from '../session/peer.ts';
import { runSession } from '../session/run.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { type Step, steps } from '../session/steps.ts';
import { type Transcript, withoutClock } from '../session/transcript.ts';
import { type Listening, serve, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-bridge-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const bridge = (url: URL | string, file: string): Command =>
  mcpRecord('record', '--stdio', '--http', String(url), '-o', file);

const everything = (mode: string, path: string) => () =>
  serve(program('@modelcontextprotocol/server-everything', 'dist/index.js', mode), path);

interface Constellation {
  name: string;
  start(): Promise<Listening>;
  connect(command: Command): Promise<Peer>;
  steps: readonly Step[];
}

const constellations: readonly Constellation[] = [
  {
    name: 'server-everything over Streamable HTTP',
    start: everything('streamableHttp', '/mcp'),
    connect: connectSdk1,
    steps,
  },
  {
    name: 'server-everything over HTTP with SSE',
    start: everything('sse', '/sse'),
    connect: connectSdk1,
    steps,
  },
  {
    name: 'a server of 2026-07-28',
    start: () => server('modern.js'),
    connect: (command) => connectClient2(command, { pin: '2026-07-28' }),
    steps: modernSteps,
  },
];

/** What each step came to; what is heard beside depends on how streams interleave. */
const outcomes = (told: Transcript) => {
  const text = JSON.stringify(withoutClock(told)).replace(/(?<=\bsession )[\da-f-]{36}/g, '<id>');
  return (JSON.parse(text) as Transcript).map(({ step, outcome }) => ({ step, outcome }));
};

describe('a client that speaks stdio, of a server over HTTP', () => {
  it.each(constellations)('$name: is recorded, and replayed', async ({ name, start, connect, steps: all }) => {
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.yaml`);
    let live: Transcript;
    {
      await using far = await start();
      live = await runSession(await connect(bridge(far.url, file)), all);
    }
    const failed = outcomes(live).filter(({ outcome }) => JSON.stringify(outcome).includes('HTTP 4'));
    expect(failed).toEqual([]);
    const again = await runSession(await connect(replayed(file)), all);
    expect(outcomes(again)).toEqual(outcomes(live));
  });
});
