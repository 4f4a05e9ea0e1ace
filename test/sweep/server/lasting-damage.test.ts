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
const [add, items] = [3, 5];

const sweepBug = async (bug: string, options: SweepOptions) => {
  await using running = new Running(fixture('swept-http-server.js', bug));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  return await sweepOf(target, { played: session, ...options });
};

describe('a server over HTTP that a misbehaviour damages for good', () => {
  const later = [`not-json@${add}`, `not-json@${items}`, `wrong-version@${items}`];

  it('is corrupted at the first point after which it answers otherwise, and later points are not judged', async () => {
    const swept = await sweepBug('ruined-by-no-json', { points: [`duplicate@${items}`, ...later] });
    expect(verdictsOf(swept), reasonsOf(swept)).toEqual([
      `duplicate@${items} passed`,
      `not-json@${add} corrupted`,
      `not-json@${items} unreached`,
      `wrong-version@${items} unreached`,
    ]);
    const [, damaged, next] = swept.results;
    expect(damaged?.why).toMatch(/\("(added|removed|0 items)" → "ruined"\), and all later sessions are wrong, too/);
    expect(next?.why).toContain(`damaged at not-json@${add}`);
  });

  it('is corrupted at the only point', async () => {
    const swept = await sweepBug('ruined-by-no-json', { points: ['not-json@1'] });
    expect(verdictsOf(swept), reasonsOf(swept)).toEqual(['not-json@1 corrupted']);
    // On its own connection, no call is answered without initialize.
    expect(swept.results[0]?.why).toContain('on the next connection with /result/content/0/text ("added" → "ruined")');
  });
});
