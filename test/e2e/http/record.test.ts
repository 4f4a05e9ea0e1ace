import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/load.ts';
import { program } from '../../support/command.ts';
import { modernSteps } from '../session/modern-steps.ts';
import { runSession } from '../session/run.ts';
import { call, pages, type Step, steps } from '../session/steps.ts';
import { type Transcript, withoutClock } from '../session/transcript.ts';
import { CREDENTIAL, type HttpPeer, modern2, sse1, streamable1 } from './clients.ts';
import { type Listening, record, serve, server } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-http-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const EVERYTHING = '@modelcontextprotocol/server-everything';
const everything = (mode: string, path: string) => serve(program(EVERYTHING, 'dist/index.js', mode), path);

const small: readonly Step[] = [
  { name: 'opens', run: async ({ opened }) => opened },
  { name: 'lists the tools', run: (peer) => pages(peer, 'tools/list') },
  { name: 'calls a tool', run: (peer) => call(peer, 'add', { a: 1, b: 2.5 }) },
  { name: 'follows a call', run: (peer) => call(peer, 'count', { to: 3 }, { progress: true }) },
  { name: 'calls an unknown tool', run: (peer) => call(peer, 'no-such-tool') },
  { name: 'asks for an unknown method', run: (peer) => peer.request('no/such-method') },
  {
    name: 'makes ten calls at once',
    run: (peer) => Promise.all(Array.from({ length: 10 }, (_, n) => call(peer, 'add', { a: n, b: n }))),
  },
];
const comingBack: Step = { name: 'comes back for an answer', run: (peer) => call(peer, 'come-back') };

interface Constellation {
  name: string;
  start(): Promise<Listening>;
  connect(url: URL): Promise<HttpPeer>;
  steps: readonly Step[];
  end: string;
}

const sdk1 = (form: string, more: readonly Step[] = []): Constellation => ({
  name: `an SDK 1 server, ${form}`,
  start: () => server('sdk-1.js', form),
  connect: streamable1,
  steps: [...small, ...more],
  end: form === 'stateless' ? 'complete' : 'session deleted',
});

const constellations: readonly Constellation[] = [
  {
    name: 'server-everything over Streamable HTTP',
    start: () => everything('streamableHttp', '/mcp'),
    connect: streamable1,
    steps,
    end: 'session deleted',
  },
  {
    name: 'server-everything over HTTP with SSE',
    start: () => everything('sse', '/sse'),
    connect: sse1,
    steps,
    end: 'stream closed',
  },
  sdk1('json'),
  sdk1('sse'),
  sdk1('resumable', [comingBack]),
  sdk1('stateless'),
  {
    name: 'a server of 2026-07-28',
    start: () => server('modern.js'),
    connect: modern2,
    steps: modernSteps,
    end: 'complete',
  },
];

/** Server-everything tells its clients the id of their session. */
const TOLD = /(?<=\bsession )[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/**
 * A transcript without what differs between two sessions: the id, the time of day, and, where there are several streams,
 * when the messages of one come beside those of another.
 */
function gathered(told: Transcript): unknown {
  const text = JSON.stringify(withoutClock(told)).replace(TOLD, '<id>');
  const transcript = JSON.parse(text) as Transcript;
  const heard = transcript.flatMap((step) => step.heard.map((message) => JSON.stringify(message)));
  return { outcomes: transcript.map(({ step, outcome }) => ({ step, outcome })), heard: heard.sort() };
}

describe('a session over HTTP with', { timeout: 60_000 }, () => {
  it.each(constellations)('$name goes the same with the recorder and without', async (constellation) => {
    const { start, connect, steps: all, end } = constellation;
    await using far = await start();
    const direct = await runSession(await connect(far.url), all);

    const output = mkdtempSync(join(folder, 'tape-'));
    await using recorder = await record(far.url, join(output, 'tape.yaml'));
    const peer = await connect(recorder.url);
    const recording = await runSession(peer, all);
    const { status, stdout } = await recorder.stop();

    expect(gathered(recording)).toEqual(gathered(direct));
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: '' });
    expect(readdirSync(output).filter((name) => !name.includes('.probe.'))).toEqual(['tape.yaml']);
    const tape = readFileSync(join(output, 'tape.yaml'), 'utf8');
    parseCassette(tape, 'tape.yaml');
    expect(tape).toMatch(new RegExp(`- end: ${end}\\n$`));
    expect(tape).not.toContain(CREDENTIAL);
    // The first request says how the client is authorized, and no other shows a header that its revision demands.
    expect(tape.match(/^ {4}(?:authorization|content-type|accept|mcp-[\w-]+): .*/gm)).toEqual([
      '    authorization: Bearer',
    ]);
    const id = peer.sessionId();
    if (id !== undefined) expect(tape.replace(TOLD, '')).not.toContain(id);
  });
});
