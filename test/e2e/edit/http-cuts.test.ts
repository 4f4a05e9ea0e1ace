import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseCassette } from '../../../src/cassette/read/parse-cassette.ts';
import { eventsToEntries } from '../../../src/cassette/split-batches-into-entries.ts';
import { keepSelectedEvents } from '../../../src/edit/cut/keep-selected-events.ts';
import { mergeCassettes } from '../../../src/edit/merge/merge-cassettes.ts';
import { isRequest, paramsOf } from '../../../src/protocol/message.ts';
import { sdkReplay } from '../../edit/sdk-replay.ts';
import { temporaryFolder } from '../../support/cassette.ts';
import { constellations } from '../http/constellations.ts';
import { record } from '../http/processes.ts';
import { runSession } from '../session/run.ts';

const folder = temporaryFolder();

/** The names of the tools that are called, in order. */
function toolsOf(text: string): string[] {
  return eventsToEntries(parseCassette(text, 'cut.yaml').events).flatMap(({ from, message }) =>
    from === 'client' && isRequest(message) && message.method === 'tools/call' ? [String(paramsOf(message).name)] : [],
  );
}

async function replays(text: string): Promise<string[]> {
  const file = join(folder, 'cut.yaml');
  writeFileSync(file, text);
  const { calls, findings } = await sdkReplay(file, 'http');
  const outcome = (of: unknown) => (typeof of === 'object' && of !== null && 'error' in of ? 'an error' : of);
  expect(calls.map(({ replayed }) => outcome(replayed))).toEqual(calls.map(({ recorded }) => outcome(recorded)));
  return findings;
}

/** Streams that are resumed, and a server without sessions. `CUTS=all` cuts what all servers of the list say, which takes a minute more. */
const USUAL: readonly string[] = ['an SDK 1 server, resumable', 'a server of 2026-07-28'];
const cutHere = constellations.filter(({ name }) => process.env.CUTS === 'all' || USUAL.includes(name));

it('cuts sessions of two servers at least', () => {
  expect(cutHere.length).toBeGreaterThanOrEqual(USUAL.length);
});

// Each part is replayed with the pauses of its streams, and that beside all else that a machine does.
describe.each(cutHere)('$name', { timeout: 900_000 }, ({ name, start, connect, steps }) => {
  it('is cut by each of its tools, each part replays over HTTP, and so do all of them merged', async () => {
    const file = join(folder, `${name.replaceAll(/\W/g, '-')}.yaml`);
    {
      await using far = await start();
      await using recorder = await record(far.url, file);
      await runSession(await connect(recorder.url), steps);
      await recorder.stop();
    }
    const text = readFileSync(file, 'utf8');
    expect(await replays(text)).toEqual([]);
    const calls = toolsOf(text);
    expect(calls.length).toBeGreaterThan(5);
    const parts: { file: string; text: string }[] = [];
    for (const tool of new Set(calls)) {
      const own = keepSelectedEvents(text, file, { selection: { tools: [tool] } }).text;
      expect(toolsOf(own).filter((name) => name === tool)).toEqual(calls.filter((name) => name === tool));
      expect(await replays(own), `only ${tool}`).toEqual([]);
      parts.push({ file: `${tool}.yaml`, text: own });
      const others = keepSelectedEvents(text, file, { selection: { tools: [tool] }, drop: true }).text;
      expect(toolsOf(others)).toEqual(calls.filter((name) => name !== tool));
      expect(await replays(others), `without ${tool}`).toEqual([]);
    }
    const merged = mergeCassettes(parts, 'merged.yaml').text;
    expect(toolsOf(merged)).toEqual(parts.flatMap((part) => toolsOf(part.text)));
    expect(await replays(merged), 'merged').toEqual([]);
  });
});
