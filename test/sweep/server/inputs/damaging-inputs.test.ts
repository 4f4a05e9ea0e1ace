import { beforeAll, describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { httpServer } from '../../../../src/sweep/server/connect-to-http-server.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';
import { fixture, Running } from '../../../support/process.ts';
import { sweepInputsOf, sweptToolsSession } from './swept-inputs.ts';

let played: Cassette;
beforeAll(async () => {
  played = await sweptToolsSession();
});

async function overHttp(bug: string, points?: readonly string[]) {
  await using running = new Running(fixture('swept-tools.js', 'http', bug));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  const results = await sweepInputsOf(target, { played, deadline: 1_000, ...(points && { points }) });
  return results.map(({ point, verdict, why }) => ({ name: point.name, verdict, why }));
}

describe('a server over HTTP that a call damages for good', () => {
  const POINTS = ['missing-required@say', 'edge-strings@say', 'wrong-type@count'];

  it.each([
    ['mixes-up-answers', 'corrupted', '("said hello" → "something"), and all later sessions are wrong, too'],
    ['hangs-after-a-bad-call', 'hung', 'and all later sessions are wrong, too'],
  ])('and %s is found at the first point that does it, and later points are not judged', async (bug, verdict, why) => {
    expect(await overHttp(bug, POINTS)).toEqual([
      { name: 'missing-required@say', verdict, why: expect.stringContaining(why) },
      {
        name: 'wrong-type@count',
        verdict: 'unreached',
        why: 'not tested, because the server is damaged at missing-required@say',
      },
      {
        name: 'edge-strings@say',
        verdict: 'unreached',
        why: 'not tested, because the server is damaged at missing-required@say',
      },
    ]);
  });
});

it.each(['sound', 'keeps-the-longest-list'])(
  'a server over HTTP that is sound is accused of nothing: %s',
  async (bug) => {
    const results = await overHttp(bug);
    const shown = results.filter(({ verdict }) => !['passed', 'refused'].includes(verdict));
    expect([shown, results.length > 15]).toEqual([[], true]);
  },
);
