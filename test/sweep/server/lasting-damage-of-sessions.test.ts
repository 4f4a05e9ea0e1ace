import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../src/cassette/cassette.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { httpServer } from '../../../src/sweep/server/connect-to-http-server.ts';
import { parseUpstream } from '../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client, server } from '../../support/conversation.ts';
import { fixture, Running } from '../../support/process.ts';
import { handshake, reasonsOf, type SweepOptions, sweepOf, text, verdictsOf } from './swept-server.ts';

/** The client adds an item, removes it, and counts the items. */
const session: Cassette = cassette(
  ...handshake,
  client(call(1, 'add')),
  server(text(1, 'added')),
  client(call(2, 'remove')),
  server(text(2, 'removed')),
  client(call(3, 'items')),
  server(text(3, '0 items')),
);
const [add, remove, items] = [3, 4, 5];

const sweepBug = async (bug: string, options: SweepOptions) => {
  await using running = new Running(fixture('swept-http-server.js', bug));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  return await sweepOf(target, { played: session, ...options });
};

describe('a server over HTTP that a misbehaviour damages for good', () => {
  const later = [`not-json@${add}`, `not-json@${items}`, `wrong-version@${items}`];

  it('does not leave an earlier suspect without a second look', async () => {
    const swept = await sweepBug('ruined-by-no-json', { points: ['truncate@1', `not-json@${items}`] });
    expect(verdictsOf(swept), reasonsOf(swept)).toEqual(['truncate@1 refused', `not-json@${items} corrupted`]);
  });

  it('is hung where it never answers again', async () => {
    const swept = await sweepBug('hangs-after-no-json', { points: later, deadline: 500 });
    expect(verdictsOf(swept), reasonsOf(swept)).toEqual([
      `not-json@${add} hung`,
      `not-json@${items} unreached`,
      `wrong-version@${items} unreached`,
    ]);
  });

  it('is found by sessions at once, too', async () => {
    const swept = await sweepBug('ruined-by-no-json', { points: later, jobs: 3 });
    const bad = swept.results.filter(({ verdict }) => verdict === 'corrupted');
    expect(bad.length, reasonsOf(swept)).toBe(1);
    expect(bad[0]?.why).toContain('and all later sessions are wrong, too');
  });
});

it.each([
  ['a lost request leaves', [`not-json@${remove}`, `wrong-version@${remove}`, `latency@${items}`]],
  ['repeated requests leave', [`leave@${add}`, `not-json@${remove}`, `latency@${items}`]],
])('items that %s for good are no damage', async (_, points) => {
  const swept = await sweepBug('none', { points });
  const good = swept.results.filter(({ verdict }) => ['passed', 'refused'].includes(verdict));
  expect(good.length, reasonsOf(swept)).toBe(points.length);
});
