import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { runSession } from '../session/run.ts';
import { type Transcript, withoutClock } from '../session/transcript.ts';
import { CREDENTIAL } from './clients.ts';
import { constellations } from './constellations.ts';
import { record } from './processes.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-record-http-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

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

function counted(methods: readonly string[]): Record<string, number> & { GET: number } {
  const counts: Record<string, number> & { GET: number } = { GET: 0 };
  for (const method of methods) counts[method] = (counts[method] ?? 0) + 1;
  return counts;
}

/** The steps that came to an error, but for those that ask for it. */
function failed(told: Transcript): string[] {
  return told
    .filter(({ outcome }) => typeof outcome === 'object' && outcome !== null && 'error' in outcome)
    .map(({ step }) => step)
    .filter((step) => !/unknown|wrong|there is not/.test(step));
}

it.each(constellations)('a session with $name has at least twenty steps', ({ steps }) => {
  expect(new Set(steps.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20);
});

describe('a session over HTTP with', () => {
  it.each(constellations)('$name goes the same with the recorder and without', async (constellation) => {
    const { start, connect, steps: all, end } = constellation;
    await using far = await start();
    const directPeer = await connect(far.url);
    const direct = await runSession(directPeer, all);
    expect(failed(direct)).toEqual([]);

    const output = mkdtempSync(join(folder, 'cassette-'));
    await using recorder = await record(far.url, join(output, 'cassette.yaml'));
    const peer = await connect(recorder.url);
    const recording = await runSession(peer, all);
    const { status, stdout } = await recorder.stop();
    const reached = (await far.stop()).stderr.match(/(?<=^request )\w+$/gm) ?? [];

    // The server has what its clients have sent and no more; a stream that they close may not have reached it.
    const sent = [...directPeer.asked, ...peer.asked];
    expect(counted(reached)).toEqual({
      ...counted(sent),
      GET: expect.toSatisfy((n) => n <= counted(sent).GET),
    });
    expect(gathered(recording)).toEqual(gathered(direct));
    expect({ status, stdout: stdout.toString() }).toEqual({ status: 0, stdout: '' });
    expect(readdirSync(output).filter((name) => !name.includes('.probe.'))).toEqual(['cassette.yaml']);
    const cassette = readFileSync(join(output, 'cassette.yaml'), 'utf8');
    parseCassette(cassette, 'cassette.yaml');
    expect(cassette).toMatch(new RegExp(`- end: ${end}\\n$`));
    expect(cassette).not.toContain(CREDENTIAL);
    // The first request says how the client is authorized, and no other shows a header that its revision demands.
    expect(cassette.match(/^ {4}(?:authorization|content-type|accept|mcp-[\w-]+): .*/gm)).toEqual([
      '    authorization: Bearer',
    ]);
    const id = peer.sessionId();
    if (id !== undefined) expect(cassette.replace(TOLD, '')).not.toContain(id);
  });
});
