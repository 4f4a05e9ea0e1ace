import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../../../src/cassette/cassette.ts';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { clientMessageOrder } from '../../../../src/sweep/orders/client-message-order.ts';
import { concurrentMessages } from '../../../../src/sweep/orders/concurrent-messages.ts';
import { drawOrders } from '../../../../src/sweep/orders/draw-orders.ts';
import { httpServer } from '../../../../src/sweep/server/connect-to-http-server.ts';
import { serverOrderCase } from '../../../../src/sweep/server/orders/server-order-cases.ts';
import { sweepServerOrders } from '../../../../src/sweep/server/orders/sweep-server-orders.ts';
import { parseUpstream } from '../../../../src/transports/http/upstream/parse-upstream.ts';
import { call, cassette, client } from '../../../support/conversation.ts';
import { fixture, Running } from '../../../support/process.ts';
import { OPENING, text, three } from './three-calls.ts';

async function sweepOf(manner: string, { played = three, jobs = 1 }: { played?: Cassette; jobs?: number } = {}) {
  await using running = new Running(fixture('concurrent-server.js', manner, '1', 'http'));
  const target = httpServer({ upstream: parseUpstream(await running.line()), clock: systemClock });
  const messages = clientMessageOrder(played);
  const { orders } = drawOrders(concurrentMessages(messages), { count: 5, seed: 1 });
  return await sweepServerOrders({
    cassette: played,
    target,
    points: orders.map(serverOrderCase),
    messages,
    clock: systemClock,
    room: { busy: jobs, all: jobs },
    deadline: 2_000,
  });
}

describe('a server over HTTP that an order damages for good', () => {
  it.each([1, 3])('is corrupted at this order, and later orders are not judged, with %i jobs', async (jobs) => {
    const { results } = await sweepOf('ruined-by-an-order', { jobs });
    const shown = results.map(({ point, verdict, why }) => `${point.name} ${verdict}: ${why}`).join('\n');
    const bad = results.filter(({ verdict }) => verdict === 'corrupted');
    expect(bad.length, shown).toBe(1);
    expect(bad[0]!.why, shown).toMatch(/\("\w+: sunny" → "\w+: ruined"\), and all later sessions are wrong, too/);
    const later = results.slice(results.indexOf(bad[0]!) + 1);
    expect(later.length, shown).toBeGreaterThan(0);
    for (const { verdict, why } of later) {
      expect([verdict, why]).toEqual([
        'unreached',
        `not tested, because the server is damaged at ${bad[0]!.point.name}`,
      ]);
    }
  });

  it('is hung where it answers no later call', async () => {
    const { results } = await sweepOf('stuck-after-an-order');
    const shown = results.map(({ point, verdict, why }) => `${point.name} ${verdict}: ${why}`).join('\n');
    expect(results.filter(({ verdict }) => verdict === 'hung').length, shown).toBe(1);
    expect(results.at(-1)!.verdict, shown).toBe('unreached');
  });
});

it('items that a server keeps for good depend on the order, and are no damage', async () => {
  const items = cassette(
    ...OPENING,
    client(call(1, 'add')),
    client(call(2, 'remove')),
    text(1, '1 items'),
    text(2, '0 items'),
    client(call(3, 'items')),
    text(3, '0 items'),
  );
  const { results } = await sweepOf('sound', { played: items });
  expect(results.map(({ point, verdict }) => `${point.name} ${verdict}`)).toEqual(['order@4,3 depends']);
  expect(results[0]!.why).toContain('A server may take requests in flight at once in any order');
});

it('a sound server is accused of nothing', async () => {
  const { results } = await sweepOf('sound');
  expect([...new Set(results.map(({ verdict }) => verdict))]).toEqual(['passed']);
});
