import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../support/cassette.ts';
import { replayed } from '../../support/command.ts';
import { runSession } from '../session/run.ts';
import { connectSdk1 } from '../session/sdk-1.ts';
import { steps } from '../session/steps.ts';
import type { Transcript } from '../session/transcript.ts';
import { sse1, streamable1 } from './clients.ts';
import { constellations } from './constellations.ts';
import { outcomes } from './outcomes.ts';
import { record, replay } from './processes.ts';

const folder = temporaryFolder();

describe('a session that was recorded over HTTP', () => {
  it.each(constellations)('with $name is replayed over HTTP, again and again, and at once', async (one) => {
    const { name, start, connect, steps: all, end } = one;
    const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.yaml`);
    let live: Transcript;
    {
      await using far = await start();
      await using recorder = await record(far.url, file);
      live = await runSession(await connect(recorder.url), all);
      await recorder.stop();
    }
    await using mock = await replay(file);
    const url = connect === sse1 ? new URL('/sse', mock.url) : mock.url;
    const first = await runSession(await connect(url), all);
    expect(outcomes(first)).toEqual(outcomes(live));
    const both = await Promise.all([1, 2].map(async () => runSession(await connect(url), all)));
    // Where there are no sessions nobody can tell whose answer comes next.
    if (end !== 'complete') for (const again of both) expect(outcomes(again)).toEqual(outcomes(live));
    const { status } = await mock.stop();
    expect([status, mock.said.filter((line) => line.includes('Cannot answer'))]).toEqual([0, []]);
  });

  it('with SSE (2024-11-05) is replayed over Streamable HTTP, beside', async () => {
    const file = join(folder, 'server-everything-over-HTTP-with-SSE.yaml');
    await using mock = await replay(file);
    const connected = await Promise.all([sse1(new URL('/sse', mock.url)), streamable1(mock.url)]);
    const [older, newer] = await Promise.all(connected.map((peer) => runSession(peer, steps)));
    expect(outcomes(newer!)).toEqual(outcomes(older!));
    expect(mock.said.filter((line) => line.includes('Cannot answer'))).toEqual([]);
  });

  it('is replayed over stdio', async () => {
    const file = join(folder, 'server-everything-over-Streamable-HTTP.yaml');
    const over = await runSession(await connectSdk1(replayed(file)), steps);
    await using mock = await replay(file);
    const http = await runSession(await streamable1(mock.url), steps);
    expect(outcomes(over)).toEqual(outcomes(http));
  });
});
